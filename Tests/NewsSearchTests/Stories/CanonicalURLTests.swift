import NewsSearch
import NewsCore
import SeededRandom
import Testing

@Suite struct `Canonical URLs` {
  @Test(arguments: [
    ("https://example.org/story", "example.org/story"),
    ("http://www.Example.ORG:80/story/", "example.org/story"),
    ("https://user:pw@example.org:443/a/./b/../c", "example.org/a/c"),
    ("https://example.org:8443/a", "example.org:8443/a"),
    ("https://m.example.org/story#comments", "example.org/story"),
    ("https://mobile.example.org/story?", "example.org/story"),
    ("https://amp.example.org/story", "example.org/story"),
    ("https://m.org/story", "m.org/story"),
    ("https://en.m.wikipedia.org/wiki/Tea", "en.wikipedia.org/wiki/Tea"),
    ("https://example.org/story/amp/", "example.org/story"),
    ("https://example.org/amp/story", "example.org/story"),
    ("https://example.org/story.amp.html", "example.org/story.html"),
    ("https://example.org/story?outputType=amp&amp=1", "example.org/story"),
    ("https://example.org/amp", "example.org/amp"),
    ("https://example.org/news/index.html", "example.org/news"),
    ("https://example.org/?utm_source=rss&utm_medium=feed", "example.org"),
    ("https://example.org/a?b=2&utm_campaign=x&a=1&fbclid=q", "example.org/a?a=1&b=2"),
    ("https://example.org/a?x=1&amp;utm_source=rss&amp;y=2", "example.org/a?x=1&y=2"),
    ("https://example.org/a?from=rss", "example.org/a"),
    ("https://example.org/a?from=2026-01-01", "example.org/a?from=2026-01-01"),
    ("https://example.org/show?id=7", "example.org/show?id=7"),
    ("https://example.org/%7euser/caf%c3%a9", "example.org/~user/caf%C3%A9"),
    ("https://example.org/#!/page/3", "example.org#!/page/3"),
    ("https://youtu.be/abc123?si=xyz", "youtube.com/watch?v=abc123"),
    ("https://www.youtube.com/watch?v=abc123&feature=share", "youtube.com/watch?v=abc123"),
    ("https://old.reddit.com/r/x/comments/1/", "reddit.com/r/x/comments/1"),
    ("https://www.google.com/url?q=https%3A%2F%2Fwww.example.org%2Fa%3Fb%3D1&sa=D", "example.org/a?b=1"),
    ("https://www.google.com/amp/s/www.example.org/a/amp", "example.org/a"),
    ("https://www-example-org.cdn.ampproject.org/c/s/www.example.org/a?usqp=1", "example.org/a?usqp=1"),
    ("https://l.facebook.com/l.php?u=https%3A%2F%2Fexample.org%2Fa%3Ffbclid%3D1&h=2", "example.org/a"),
    ("https://out.reddit.com/t3_1?url=https%3A%2F%2Fexample.org%2Fa", "example.org/a"),
    ("https://dts.podtrac.com/redirect.mp3/pdst.fm/e/cdn.example.org/a.mp3", "cdn.example.org/a.mp3"),
    ("https://www.google.com/search?q=tea", "google.com/search?q=tea"),
    (" https://example.org/a\n", "example.org/a"),
  ])
  func `A URL is reduced to its canonical key`(_ url: String, _ key: String) {
    #expect(CanonicalURL.key(of: url) == key)
  }

  @Test(arguments: [
    "", "example.org", "mailto:a@example.org", "https://", "https:///x", "urn:x", "ftp://example.org/",
    "https:/x", "http://%",
  ])
  func `Text that is not a web URL with a host has no key`(_ url: String) {
    #expect(CanonicalURL.key(of: url) == nil)
  }

  @Test func `Canonicalizing a key again does not change it`() {
    for url in ["https://www.example.org/a/amp?b=2&a=1&utm_x=1", "https://en.m.wikipedia.org/wiki/%c3%84"] {
      let key = CanonicalURL.key(of: url) ?? ""
      #expect(CanonicalURL.key(of: "https://" + key) == key)
    }
    #expect(CanonicalURL.isSite("example.org"))
    #expect(!CanonicalURL.isSite("example.org/a"))
  }

  @Test(arguments: 0..<20)
  func `Random URLs do not crash and never give an empty key`(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let pieces = [
      "http://", "https:", "/", "//", "?", "#", "&", "=", "%4", "%41", "%", "..", "www.", "@", ":", "a", "ü",
      "amp", ";", "q",
    ]
    for _ in 0..<200 {
      let text =
        "https://" + (0..<Int(random.next() % 12)).map { _ in pieces[Int(random.next() % 20)] }.joined()
      if let key = CanonicalURL.key(of: text) { #expect(!key.isEmpty) }
    }
  }
}
