import NewsService
import NewsSyndication
import Testing

@Suite struct `Feed discovery` {
  static func found(_ page: String, base: String = "https://example.org/blog/") -> [String] {
    found(Array(page.utf8), base: base)
  }

  static func found(
    _ page: [UInt8],
    base: String = "https://example.org/blog/",
    contentType: String? = nil
  ) -> [String] {
    FeedDiscovery().feeds(inPage: FeedDocument(bytes: page, contentType: contentType, baseURL: base)).map {
      [$0.url, $0.title, $0.mimeType].compactMap { $0 }.joined(separator: " | ")
    }
  }

  static let pages: [(page: String, feeds: [String])] = [
    (
      "<link rel=alternate type=application/rss+xml href=/feed title='All &amp; more'>",
      ["https://example.org/feed | All & more | application/rss+xml"]
    ),
    (
      "<LINK REL='home ALTERNATE' TYPE='Application/Atom+XML; charset=utf-8' HREF=a.xml />",
      ["https://example.org/blog/a.xml | application/atom+xml"]
    ),
    ("<link rel=feed href=f>", ["https://example.org/blog/f"]),
    ("<link rel='feed' type='text/html' href=f>", []),
    (
      "<link rel=alternate type=application/feed+json href=f.json>",
      ["https://example.org/blog/f.json | application/feed+json"]
    ),
    ("<link rel=alternate type=text/xml href=x>", ["https://example.org/blog/x | text/xml"]),
    ("<link rel=alternate type=application/json href=/wp-json/wp/v2/posts/1>", []),
    ("<link rel=alternate type=application/json+oembed href=/o>", []),
    ("<link rel=alternate hreflang=de href=/de/>", []),
    ("<link rel='alternate stylesheet' type=text/xml href=x>", []),
    ("<link rel=stylesheet type=application/rss+xml href=x>", []),
    (
      "<base href=//cdn.example.net/x/><base href=/no/><link rel=alternate type=application/rss+xml href=f>",
      ["https://cdn.example.net/x/f | application/rss+xml"]
    ),
    (
      """
      <link rel=alternate type=application/rss+xml href=/comments/feed/ title="Blog - Comments Feed">
      <link rel=alternate type=application/rss+xml href=/feed/><link rel=alternate type=text/xml href=/g>
      <link rel=alternate type=application/atom+xml href=/atom/><link rel=alternate type=application/rss+xml href=/feed/#x>
      """,
      [
        "https://example.org/feed/ | application/rss+xml", "https://example.org/atom/ | application/atom+xml",
        "https://example.org/g | text/xml",
        "https://example.org/comments/feed/ | Blog - Comments Feed | application/rss+xml",
      ]
    ),
    (
      "<a href=/x.rss>news</a><a href=/y>x</a><a href=/z><img alt='RSS feed'></a><a type=application/atom+xml href=/t>t</a>",
      [
        "https://example.org/t | t | application/atom+xml", "https://example.org/x.rss | news",
        "https://example.org/z | RSS feed",
      ]
    ),
    (
      "<a href=/feed>a</a><link rel=alternate type=application/rss+xml href=/f>",
      ["https://example.org/f | application/rss+xml"]
    ),
    (
      "<a href='feed://example.net/f'>a</a> <a href='feed:https://example.net/g'>Subscribe\n to <b>all</b>",
      ["http://example.net/f | a", "https://example.net/g | Subscribe to all"]
    ),
    ("<a href=javascript:rss()>RSS</a><a href=https://feedly.com/i/subscription/feed/x>feed</a>", []),
    ("<!-- <link rel=alternate type=application/rss+xml href=/f> --><script>'<a href=/feed>'</script>", []),
    ("<a href=/list?format=atom&page=2>older</a>", ["https://example.org/list?format=atom&page=2 | older"]),
    (
      "<link rel=canonical href=https://www.youtube.com/channel/UCabc>",
      ["https://www.youtube.com/feeds/videos.xml?channel_id=UCabc | Videos"]
    ),
    ("", []), ("<link", []), ("<link rel=alternate type=application/rss+xml>", []),
  ]

  @Test(arguments: pages)
  func `A page's feeds are found, best first`(_ example: (page: String, feeds: [String])) {
    #expect(Self.found(example.page) == example.feeds)
  }

  @Test func `Titles are read in the page's encoding`() {
    let link = Array("<link rel=alternate type=application/rss+xml href=f title='Gr".utf8) + [0xFC, 0xDF]
    let page = link + Array("e'>".utf8)
    let expected = ["https://example.org/blog/f | Grüße | application/rss+xml"]
    #expect(Self.found(Array("<meta charset=iso-8859-1>".utf8) + page) == expected)
    let meta = Array(#"<META http-equiv="Content-Type" content="text/html; charset = windows-1252">"#.utf8)
    #expect(Self.found(meta + page) == expected)
    #expect(Self.found(page, contentType: "text/html; charset=ISO-8859-1") == expected)
    let wide = Array("<link rel=alternate type=application/rss+xml href=f title='Grüße'>".utf16).flatMap {
      [UInt8($0 & 255), UInt8($0 >> 8)]
    }
    #expect(Self.found([0xFF, 0xFE] + wide) == expected)
  }

  @Test func `Only the beginning of a page is read`() {
    let page = String(repeating: "<p>x</p>", count: 1000) + "<link rel=feed href=f>"
    let document = FeedDocument(bytes: Array(page.utf8), baseURL: "https://example.org/")
    #expect(FeedDiscovery(maximumBytes: 4000).feeds(inPage: document).isEmpty)
    #expect(FeedDiscovery().feeds(inPage: document).count == 1)
  }

  static let sites: [(page: String, feed: String)] = [
    ("https://www.youtube.com/channel/UC1/videos", "https://www.youtube.com/feeds/videos.xml?channel_id=UC1"),
    (
      "https://m.youtube.com/playlist?list=PL1&x=y",
      "https://www.youtube.com/feeds/videos.xml?playlist_id=PL1"
    ),
    ("https://youtube.com/user/a", "https://www.youtube.com/feeds/videos.xml?user=a"),
    ("https://old.reddit.com/r/swift/new/", "https://www.reddit.com/r/swift/new/.rss"),
    ("https://www.reddit.com/r/swift", "https://www.reddit.com/r/swift/.rss"),
    ("https://github.com/apple/swift", "https://github.com/apple/swift/releases.atom"),
    ("https://github.com/apple/swift/tags", "https://github.com/apple/swift/tags.atom"),
    (
      "https://github.com/apple/swift/commits/main/docs",
      "https://github.com/apple/swift/commits/main/docs.atom"
    ),
    ("https://gitlab.com/a/b", "https://gitlab.com/a/b/-/releases.atom"),
    ("https://codeberg.org/a/b", "https://codeberg.org/a/b/releases.rss"),
    ("https://medium.com/@a/post-1", "https://medium.com/feed/@a"),
    ("https://a.medium.com/", "https://a.medium.com/feed"),
    ("https://a.substack.com/p/x", "https://a.substack.com/feed"),
    ("https://substack.com/@a", "https://a.substack.com/feed"),
    ("https://a.tumblr.com/", "https://a.tumblr.com/rss"),
    ("https://a.wordpress.com/x", "https://a.wordpress.com/feed/"),
    ("https://a.blogspot.com/2026/", "https://a.blogspot.com/feeds/posts/default"),
    ("https://mastodon.example/@a", "https://mastodon.example/@a.rss"),
    ("https://bsky.app/profile/a.example", "https://bsky.app/profile/a.example/rss"),
    ("https://vimeo.com/a", "https://vimeo.com/a/videos/rss"),
    ("https://stackoverflow.com/questions/tagged/swift", "https://stackoverflow.com/feeds/tag/swift"),
    ("https://unix.stackexchange.com/questions/1/x", "https://unix.stackexchange.com/feeds/question/1"),
    ("https://news.ycombinator.com/", "https://news.ycombinator.com/rss"),
    ("https://news.ycombinator.com/user?id=a", "https://hnrss.org/submitted?id=a"),
    ("https://lemmy.example/c/a", "https://lemmy.example/feeds/c/a.xml"),
    ("https://pypi.org/project/a/", "https://pypi.org/rss/project/a/releases.xml"),
    ("https://crates.io/crates/a", "https://static.crates.io/rss/crates/a.xml"),
    ("https://example.org/", "https://example.org/feed"),
    ("https://example.org/blog/", "https://example.org/blog/feed"),
    ("https://example.org:8080/2026/", "https://example.org:8080/feed"),
  ]

  @Test(arguments: sites)
  func `The feed behind a page is guessed first`(_ example: (page: String, feed: String)) {
    #expect(FeedDiscovery().guesses(forPage: example.page).first?.url == example.feed)
  }

  @Test func `Guesses are distinct, on the web, and none for other addresses`() {
    let guesses = FeedDiscovery().guesses(forPage: "https://example.org/news/x").map(\.url)
    #expect(guesses.count > 10)
    #expect(Set(guesses).count == guesses.count)
    #expect(guesses.allSatisfy { $0.hasPrefix("https://example.org/") })
    #expect(FeedDiscovery().guesses(forPage: "file:///etc/passwd").isEmpty)
    #expect(FeedDiscovery().guesses(forPage: "").isEmpty)
  }
}
