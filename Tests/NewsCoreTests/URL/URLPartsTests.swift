import NewsToolbox
import Testing

@testable import NewsCore

@Suite struct `Parts of URLs` {
  @Test(arguments: [
    ("https://u:p@example.org:8080/a/b?c=d#e", ["https", "u:p", "example.org", "8080", "/a/b", "c=d", "e"]),
    ("http://[::1]:/", ["http", nil, "[::1]", "", "/", nil, nil]),
    ("//example.org?q#", [nil, nil, "example.org", nil, "", "q", ""]),
    ("mailto:a@example.org", ["mailto", nil, nil, nil, "a@example.org", nil, nil]),
    ("a/b:c?d?e", [nil, nil, nil, nil, "a/b:c", "d?e", nil]),
    ("http://evil.example\\@good/", ["http", nil, "evil.example", nil, "\\@good/", nil, nil]),
    ("http://a@b@c/", ["http", "a@b", "c", nil, "/", nil, nil]),
    ("", [nil, nil, nil, nil, "", nil, nil]),
  ])
  func `Components are those of RFC 3986`(_ url: String, _ expected: [String?]) {
    let parts = URLParts(url)
    let ranges = [
      parts.schemeLength.map { 0..<$0 }, parts.userInfo, parts.host, parts.port, parts.path, parts.query,
      parts.fragment,
    ]
    #expect(ranges.map { $0.map { String(url.slice($0)) } } == expected)
  }

  @Test func `Path and query of an address are kept as written`() throws {
    let address = try #require(WebAddress("HTTPS://Example.org/a/?b=%20#c?d"))
    #expect(address.path == "/a/")
    #expect(address.query == "b=%20")
    #expect(address.text == "https://example.org/a/?b=%20#c?d")
    #expect(address.server == Origin(scheme: "https", host: "example.org", port: 443))
  }

  @Test(arguments: [
    ("feed:https://example.org/x", "https://example.org/x"), ("FEED://example.org", "http://example.org"),
    ("feeds:x", "feeds:x"),
  ])
  func `The prefix feed: before a URL is removed`(_ text: String, _ expected: String) {
    #expect(WebAddress.withoutFeedScheme(text) == expected)
  }
}
