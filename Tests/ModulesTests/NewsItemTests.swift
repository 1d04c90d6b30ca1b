import NewsCore
import Testing

@testable import Modules
@testable import NewsFormats
@testable import NewsText

@Suite struct `News item` {
  private func show(_ item: NewsItem, _ text: RichText, width: Int = 40) async throws -> String {
    let output = try ItemOutput(format: .text, terminal: .plain(width: width))
    let writer = FakeOutput()
    let screen = Screen(view: view(output, NewsItemView.init), output: writer, messages: writer)
    let interactor = NewsItemInteractor(
      news: FakeStore(items: [item]),
      richText: FakeRichText(result: text),
      presenter: NewsItemPresenter(output.needs, times: output.shape.terminal.times)
    )
    try await interactor.run([item.id], emit: screen.emit)
    return writer.text
  }

  @Test func `An item is shown in full and wrapped, with footnotes and the command that lists its feed`()
    async throws
  {
    var item = NewsItem.sample(5, "A title that is longer than one line of it", hoursAgo: 3, isRead: false)
    item.authors = [Author(name: "Ada"), Author(email: "b@example.org")]
    item.tags = ["swift", "linux", "a tag of several words"]
    item.enclosures = [
      Enclosure(url: "https://example.org/a.mp3", mimeType: "audio/mpeg", size: 1_500_000, duration: 3723)
    ]
    item.contentHTML = "<p>…</p>"
    let text = RichText(
      blocks: [
        .heading([.init(text: "Part one")], level: 2),
        .paragraph(
          [
            .init(text: "Some words before "), .init(text: "a link", style: .link, footnote: 1),
            .init(text: " and some more words after it."),
          ],
          indent: 0
        ),
        .listItem([.init(text: "first of the things that are listed here")], marker: "•", indent: 0),
        .listItem([.init(text: "second")], marker: "•", indent: 1),
        .quotation([.init(text: "quoted words that go on for more than one line")], indent: 1),
        .preformatted("let x = 1\n  y", indent: 0),
        .paragraph(
          [
            .init(text: "a cat", style: .image, picture: 2), .init(text: " "),
            .init(text: "a dog", style: [.image, .link], footnote: 1, picture: 3),
          ],
          indent: 0
        ),
        .paragraph([.init(text: "a map", style: [.image, .link], footnote: 4, picture: 4)], indent: 0),
        .paragraph([.init(text: "a dot", style: .image)], indent: 0),
      ],
      links: ["link", "cat.png", "dog.png", "map.png"].map { "https://example.org/\($0)" }
    )
    let shown = try await show(item, text)
    #expect(
      shown == """
        A title that is longer than one line of
        it
        Feed  Example
        By    Ada, b@example.org
        Date  Fri 20 Nov 2026 09:00 UTC (3h ago)
        Tags  swift, linux, a tag of several
              words
        Link  https://example.org/5
        File  [5] https://example.org/a.mp3 (audio/mpeg, 1.4 MiB, 1:02:03)
        Item  5, unread

        Part one

        Some words before a link[1] and some
        more words after it.

        • first of the things that are listed
          here
          • second

        │ quoted words that go on for more than
        │ one line

          let x = 1
            y

        [image: a cat][2] [image: a dog][3][1]

        [image: a map][4]

        [image: a dot]

        [1] https://example.org/link
        [2] https://example.org/cat.png
        [3] https://example.org/dog.png
        [4] https://example.org/map.png

        More of this feed: newsd list --feed 1

        """
    )
  }

  @Test func `A table that fits has columns, and one that does not fit has rows of text`() async throws {
    var item = NewsItem.sample(1, "T")
    item.contentHTML = "<p>…</p>"
    let table = RichText(
      blocks: [
        .paragraph([.init(text: "Before")], indent: 0),
        .tableRow([[.init(text: "Name")], [.init(text: "Value")]], isHeader: true),
        .tableRow([[.init(text: "alpha", style: .code)], [.init(text: "1")]], isHeader: false),
        .tableRow([[.init(text: "漢字")], [], [.init(text: "more words")]], isHeader: false),
        .paragraph([.init(text: "After")], indent: 0),
      ]
    )
    let wide = try await show(item, table)
    #expect(
      wide.contains(
        """

        Before

        Name  │ Value
        ──────┼───────┼───────────
        alpha │ 1
        漢字  │       │ more words

        After

        """
      ),
      "\(wide)"
    )
    let narrow = try await show(item, table, width: 20)
    #expect(narrow.contains("\nalpha │ 1\n漢字 │ │ more words\n"), "\(narrow)")
  }

  @Test func `Plain text keeps its paragraphs`() async throws {
    var item = NewsItem.sample(1, "T")
    item.contentText = "One.\n\nTwo\nlines."
    let text = try await show(item, RichText())
    #expect(text.contains("\nOne.\n\nTwo\nlines.\n"))
  }

  @Test func `Hostile text cannot control the terminal from any field`() async throws {
    var item = NewsItem.sample(1, "\u{1B}[31mred")
    item.authors = [Author(name: "x\u{9B}2J")]
    item.contentHTML = "<p>"
    item.url = "https://example.org/\u{1B}\\evil"
    let text = RichText(
      blocks: [
        .paragraph([.init(text: "a\u{1B}[0m\u{202E}b\u{0}")], indent: 0),
        .preformatted("\u{1B}c\r\nx", indent: 0),
      ],
      links: ["https://example.org/\u{7}"]
    )
    let shown = try await show(item, text, width: 80)
    #expect(
      !shown.unicodeScalars.contains { ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value) }
    )
    #expect(!shown.contains("\u{202E}"))
  }

  @Test func `A missing item is reported as not found`() async throws {
    let output = try ItemOutput(format: .text, terminal: .plain())
    let collected = Collected<NewsItemViewModel>()
    let interactor = NewsItemInteractor(
      news: FakeStore(),
      richText: FakeRichText(result: RichText()),
      presenter: NewsItemPresenter(output.needs, times: output.shape.terminal.times)
    )
    try await interactor.run([NewsItem.ID(rawValue: 3)], emit: collected.emit)
    #expect(collected.last?.failure?.code == .notFound)
  }

  @Test(arguments: [OutputFormat.text, .jsonl, .json])
  func `Several items are shown in turn, and missing ids are reported at the end`(
    _ format: OutputFormat
  )
    async throws
  {
    let output = try ItemOutput(format: format, terminal: .plain(width: 40))
    let writer = FakeOutput()
    let messages = FakeOutput()
    let screen = Screen(view: view(output, NewsItemView.init), output: writer, messages: messages)
    let interactor = NewsItemInteractor(
      news: FakeStore(items: [.sample(1, "One"), .sample(2, "Two")]),
      richText: FakeRichText(result: RichText()),
      presenter: NewsItemPresenter(output.needs, times: output.shape.terminal.times)
    )
    let ids = [2, 7, 1].map { NewsItem.ID(rawValue: $0) }
    try await interactor.run(ids, emit: screen.emit)
    let two = try #require(writer.text.firstRange(of: "Two"))
    let one = try #require(writer.text.firstRange(of: "One"))
    #expect(two.lowerBound < one.lowerBound)
    #expect(screen.exitStatus == .notFound)
    #expect(messages.text == "newsd: there is no item 7\n")
    let whole = Screen(view: view(output, NewsItemView.init), output: FakeOutput(), messages: messages)
    try await interactor.run([ids[0], ids[2]], emit: whole.emit)
    #expect(whole.exitStatus == .done)
    #expect(whole.rowCount == 2)
  }

  @Test func `The router of an item opens the list of its feed`() throws {
    let presenter = NewsItemPresenter(.headlines, times: TimeDisplay(now: .noon))
    let shown = presenter.present(.sample(1, "T", feed: 9), body: nil, count: nil)
    let route = NewsItemRouter().list(of: try #require(shown.content?.page))
    #expect(route == .list(ListRoute(filter: ItemFilter(feedID: Feed.ID(rawValue: 9)))))
  }

  @Test func `An item without a date shows when it was stored`() async throws {
    var item = NewsItem.sample(5, "Undated", hoursAgo: 3, isRead: false)
    item.published = nil
    item.position = Timestamp(seconds: 0)
    let shown = try await show(item, RichText(blocks: [], links: []))
    #expect(!shown.contains("Date "))
    #expect(shown.contains("Stored "))
    #expect(!shown.contains("1970"))
  }
}
