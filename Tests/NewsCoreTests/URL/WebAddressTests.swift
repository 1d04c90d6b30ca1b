import NewsCore
import Testing

@Suite struct `Host, user name and redaction of URLs` {
  @Test(arguments: [
    ("https://evil.example/\u{301}@good.example/feed", "evil.example", nil as String?),
    ("https://evil.example?\u{301}@good.example/", "evil.example", nil),
    ("https://evil.example#\u{301}@good.example/", "evil.example", nil),
    ("https://evil.example\\@good.example/", "evil.example", nil),
    ("https://a:b@Good.Example:8443/feed", "good.example", "a:b"),
    ("http://[2001:DB8::1]:80/", "[2001:db8::1]", nil),
    ("http://%65xample.org/", "example.org", nil),
  ])
  func `The host is parsed from bytes, not from Characters`(_ url: String, _ host: String, _ user: String?)
    throws
  {
    let address = try #require(WebAddress(url))
    #expect(address.host == host)
    #expect(address.userInfo == user)
  }

  @Test(arguments: [
    "https://us\u{E9}r:pw@example.org/", "https://a@b@example.org/", "https://user@\u{301}example.org@good/",
    "http://example.org:+80/", "http://example.org:8x/", "http://exa mple.org/", "http://exa\u{1}mple.org/",
    "http://a%2fb.example/", "http://a%/", "http://[::1]x/", "http://[x\"]/", "http://:80/",
  ])
  func `A URL that libcurl could parse differently is rejected`(_ url: String) {
    #expect(WebAddress(url) == nil)
  }

  @Test(arguments: [
    ("https://a:b@example.org/x", "https://example.org/x"),
    ("https://evil.example/\u{301}@good.example/feed", "https://evil.example/\u{301}@good.example/feed"),
    ("https://us\u{E9}r:pw@example.org/", "https://example.org/"),
    ("https://user:p/w@example.org/", "https://example.org/"),
    ("https:///user:pw@example.org/", "https://example.org/"),
    ("//user:pw@example.org/x", "//example.org/x"), ("http:user:pw@example.org/x", "http:example.org/x"),
    ("user:pw@example.org", "example.org"), ("mailto:me@example.org", "mailto:me@example.org"),
    ("mail me@example.org", "mail me@example.org"), ("exec:send me@example.org", "exec:send me@example.org"),
  ])
  func `Redaction removes the password and keeps the host`(_ url: String, _ shown: String) {
    #expect(WebAddress.redacted(url) == shown)
  }
}
