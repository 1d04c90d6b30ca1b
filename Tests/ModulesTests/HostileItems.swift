import NewsCore

/// One list of items for all formats. Each title contains something that breaks careless output.
enum HostileItems {
  static let titles: [String] = [
    "A plain title",
    "tab\there, line\nthere, return\r\nand both",
    "\"double\" and 'single' quotes, comma; back\\slash",
    "</script><script>alert(1)</script> & <b>bold</b> ]]>",
    "escape \u{1B}[31mred\u{1B}[0m and \u{1B}]0;title\u{7} and \u{1B}]8;;https://evil.example\u{1B}\\link",
    "override \u{202E}txt.exe\u{202C} and isolate \u{2067}x\u{2069}",
    "C1 \u{9B}31m \u{9D}0;x\u{9C} and DEL \u{7F}",
    "nul \u{0} in the middle",
    String(repeating: "very long ", count: 60) + "end",
    "",
    "أخبار اليوم: العنوان الأول (1)",
    "今日のニュース、漢字とかな「引用」",
    "👩‍👩‍👧‍👦 family, 🇩🇪 flag, e\u{301} accent, ✈️ plane",
    "From the start of a line",
    "=?utf-8?Q?not_encoded?= _under_ *star* `tick` [link](x) # 1. | pipe",
    "line separator \u{2028} paragraph \u{2029} next line \u{85} end",
  ]

  static let items: [NewsItem] = titles.enumerated().map { index, title in
    let id = Int64(index + 1)
    var item = NewsItem(
      id: NewsItem.ID(rawValue: id),
      feedID: Feed.ID(rawValue: 1),
      feedTitle: "Example & Söhne",
      feedURL: "https://example.org/feed?a=1&b=2",
      guid: "https://example.org/?p=\(id)",
      title: title,
      url: "https://example.org/\(id)?a=1&b=\"2\"",
      published: .noon - id * 3600,
      stored: .noon,
      contentText: "Text of \(title)\nFrom here on.\n>From there.",
      isRead: index % 2 == 0,
      isStarred: index % 3 == 0,
      sequence: id + 100
    )
    if index == 0 { complete(&item) }
    if index == 1 { strip(&item) }
    return item
  }

  /// Fills in all parts of an item.
  private static func complete(_ item: inout NewsItem) {
    item.authors = [
      Author(name: "Ada \"the first\" Lovelace", url: "https://example.org/ada", email: "ada@example.org"),
      Author(email: "bob@example.org"),
    ]
    item.updated = .noon - 60
    item.summary = "A summary, with <angle> brackets."
    item.contentHTML =
      "<p>Words &amp; <a href=\"https://example.org/link\">a link</a>.</p>\n<p>From the second line.</p>"
    item.tags = ["swift", "a|b", "c, d"]
    item.enclosures = [
      Enclosure(
        url: "https://example.org/a b.mp3",
        mimeType: "audio/mpeg",
        title: "Episode",
        size: 1_500_000,
        duration: 3723
      ),
      Enclosure(url: "https://example.org/b.png"),
    ]
    item.image = "https://example.org/image.png"
    item.language = "en"
    item.commentsURL = "https://example.org/1#comments"
  }

  /// Removes nearly all parts of an item.
  private static func strip(_ item: inout NewsItem) {
    item.guid = "not an IRI \u{1B}"
    item.url = nil
    item.published = nil
    item.contentText = ""
    item.feedTitle = ""
  }

  static let richText = FakeRichText(
    result: RichText(
      blocks: [
        .paragraph(
          [
            .init(text: "Words & "), .init(text: "a link", style: .link, footnote: 1), .init(text: ", "),
            .init(text: " strong ", style: .strong), .init(text: "x*y", style: .code),
            .init(text: "\n1. not a list"),
          ],
          indent: 0
        ),
        .heading([.init(text: "Heading # one")], level: 1),
        .listItem([.init(text: "first")], marker: "•", indent: 0),
        .listItem([.init(text: "nested")], marker: "3.", indent: 1),
        .quotation([.init(text: "quoted")], indent: 1),
        .preformatted("code ```\n  more", indent: 0),
        .tableRow([[.init(text: "a")], [.init(text: "b|c")]], isHeader: true),
        .tableRow([[.init(text: "1")], [.init(text: "2")]], isHeader: false),
        .rule,
        .paragraph([.init(text: "From the end.")], indent: 0),
      ],
      links: ["https://example.org/link"]
    )
  )
}
