import NewsCore
import Testing

@Suite struct `Typed addresses` {
  @Test(arguments: [
    ("example.org", "https://example.org/"),
    ("  example.org/feed ", "https://example.org/feed"),
    ("<https://example.org/feed>", "https://example.org/feed"),
    ("HTTPS://Example.ORG/Feed", "https://example.org/Feed"),
    ("http://example.org:80/a", "http://example.org/a"),
    ("https://example.org:443", "https://example.org/"),
    ("example.org:8080/a", "https://example.org:8080/a"),
    ("localhost:8080/a", "http://localhost:8080/a"),
    ("127.0.0.1:8080/a", "http://127.0.0.1:8080/a"),
    ("[::1]:8080/a", "http://[::1]:8080/a"),
    ("feed:https://example.org/a", "https://example.org/a"),
    ("feed:example.org/a", "https://example.org/a"),
    ("feed://example.org/a", "http://example.org/a"),
    ("https:/example.org/a", "https://example.org/a"),
    ("https://example.org/a b", "https://example.org/a%20b"),
    ("@user@example.org", "https://example.org/@user"),
    ("https://example.org/a#top", "https://example.org/a"),
    ("https://example.org?format=rss", "https://example.org/?format=rss"),
    ("https://user:word@example.org/a", "https://user:word@example.org/a"),
    ("https://bücher.example/feed", "https://bücher.example/feed"),
    ("/home/me/feed.xml", "file:///home/me/feed.xml"),
    ("file:///home/me/feed.xml", "file:///home/me/feed.xml"),
    ("./feed.xml", "file:///srv/./feed.xml"),
    ("exec:/bin/report --days '3 4'", "exec:/bin/report --days '3 4'"),
    ("EXEC:report $HOME", "exec:report $HOME"),
    ("https://example.org/a\u{85}b é", "https://example.org/a%C2%85b%20é"),
    ("/tmp/a\u{9F}b", "file:///tmp/a%C2%9Fb"),
  ])
  func `A typed address becomes a URL`(_ typed: String, _ url: String) throws {
    #expect(try TypedAddress.url(typed, directory: "/srv") == url)
  }

  @Test(arguments: [
    "", "   ", "ftp://example.org/feed", "gopher://example.org", "mailto:me@example.org", "exec:",
    "exec:'ls", "exec:a\nb", "exec:true \u{80}x",
    "javascript:1",
    "http://", "https:///feed", "news", "http://a:99999/",
  ])
  func `An address from which no feed can be fetched is refused with a reason`(_ typed: String) {
    #expect(throws: TypedAddress.Problem.self) { try TypedAddress.url(typed) }
  }

  @Test func `An address of 8 KiB is accepted, and a longer one is not`() throws {
    let longest = "https://example.org/" + String(repeating: "x", count: (8 << 10) - 20)
    #expect(try TypedAddress.url(longest) == longest)
    let refused = #expect(throws: TypedAddress.Problem.self) { try TypedAddress.url(longest + "x") }
    #expect(refused?.message == "the address of a feed must have at most 8192 bytes")
  }
}
