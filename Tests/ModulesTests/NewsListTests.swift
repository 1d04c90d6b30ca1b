import NewsCore
import Synchronization
import Testing

@testable import Modules
@testable import NewsFormats
@testable import NewsText

@Suite struct `News list` {
  private func run(
    _ store: FakeStore,
    _ route: ListRoute = ListRoute(),
    format: OutputFormat = .text,
    fields: [String]? = nil,
    width: Int? = nil
  ) async throws -> String {
    let output = try ItemOutput(format: format, fields: fields, terminal: .plain(width: width))
    let writer = FakeOutput()
    let screen = Screen<NewsListViewModel>(
      view: view(output, { NewsListView(terminal: $0) }),
      output: writer,
      messages: writer
    )
    try await NewsListInteractor(
      news: store,
      filters: .plain(store),
      presenter: NewsListPresenter(output.needs, times: output.shape.terminal.times)
    )
    .run(route, emit: screen.emit)
    return writer.text
  }

  @Test func `A page lists numbers, marks, ids, ages, feeds and titles, newest first, and has a footer`()
    async throws
  {
    let store = FakeStore(items: [
      .sample(1, "Old news", hoursAgo: 30),
      .sample(2, "Fresh and unread", hoursAgo: 2, isRead: false),
      .sample(3, "Kept", feedTitle: "Another feed", hoursAgo: 5, isStarred: true),
    ])
    let text = try await run(store, ListRoute(extent: .page(1, size: 2)))
    #expect(
      text == """
        1 ●  2 2h Example      Fresh and unread
        2  ★ 3 5h Another feed Kept
        Page 1 of 2 · 3 items · next: newsd list --before 3

        """
    )
    let second = try await run(store, ListRoute(extent: .page(2, size: 2)))
    #expect(second == "3    1 1d Example Old news\nPage 2 of 2 · 3 items\n")
  }

  @Test(arguments: [40, 60]) func `Labels follow the title, which is cut before them`(
    _ width: Int
  ) async throws {
    var items = [
      NewsItem.sample(1, "Title"), .sample(2, "Some words that are long and cut on each terminal"),
    ]
    for index in items.indices { items[index].labels = ["later"] }
    let route = ListRoute(extent: .page(1, size: 2))
    let lines = try await run(FakeStore(items: items), route, width: width).split(separator: "\n")
    #expect(lines[0].hasSuffix("… [later]") && lines[0].count <= width)
    #expect(lines[1].hasSuffix(" Title [later]"))
  }

  @Test(arguments: [OutputFormat.tsv, .ids, .jsonl])
  func `Items are not counted for a format without a total`(_ format: OutputFormat) async throws {
    let store = FakeStore(items: (1...3).map { .sample($0, "Item \($0)") })
    let text = try await run(store, ListRoute(extent: .page(2, size: 2)), format: format)
    #expect(text.split(separator: "\n").count == 1)
    #expect(!store.state.withLock { $0.log.contains("counted") })
  }

  @Test func `Lines with and without marks align if marks take two columns`() throws {
    var terminal = Terminal.plain(width: 80)
    terminal.ambiguousIsWide = true
    let items = [
      NewsItem.sample(1, "Read", isRead: true), .sample(2, "Unread", isRead: false, isStarred: true),
    ]
    let output = try ItemOutput(format: .text, terminal: terminal)
    let presenter = HeadlinePresenter(times: terminal.times)
    let text = try rendered(
      view(output, { NewsListView(terminal: $0) }),
      NewsListViewModel(
        items: items.map { ItemMatch(item: $0) },
        lines: items.map { presenter.line(ItemMatch(item: $0), ordinal: 1) }
      )
    )
    let width = DisplayWidth(ambiguousIsWide: true)
    let starts = text.split(separator: "\n").compactMap { line in
      line.firstRange(of: "Read").map { width.columns(String(line.prefix(upTo: $0.lowerBound))) }
        ?? line.firstRange(of: "Unread").map { width.columns(String(line.prefix(upTo: $0.lowerBound))) }
    }
    #expect(starts.count == 2 && starts[0] == starts[1])
  }

  @Test func `The error for a number beyond the list gives the number of items`() async throws {
    let router = NewsListRouter()
    let none = NewsListViewModel(items: [], page: PageInfo(number: 50, size: 1, total: 36))
    let message = #expect(throws: UserMessage.self) { try router.open(50, in: none) }
    #expect(message?.text == "no item 50 to open: the list has 36")
    let page = PageInfo(number: 3, size: 1, total: 36)
    let list = NewsListViewModel(items: [ItemMatch(item: .sample(9, "x"))], page: page)
    #expect(try router.open(3, in: list) == .items([NewsItem.ID(rawValue: 9)]))
  }

  @Test func `A page reads only its items from the store, without texts`() async throws {
    let store = FakeStore(items: (1...50).map { .sample($0, "T") })
    _ = try await run(store, ListRoute(extent: .page(2, size: 20)))
    let request = try #require(store.state.withLock { $0.requests.first })
    #expect(request.offset == 20 && request.limit == 20 && request.parts == .headlineText)
  }

  @Test func `The list reads only those parts of items that its columns need`() async throws {
    let store = FakeStore(items: [.sample(1, "T")])
    _ = try await run(store, ListRoute(extent: .all), format: .tsv, fields: ["id", "tags", "content_text"])
    #expect(store.state.withLock { $0.requests.first?.parts } == [.details, .contentText])
  }

  @Test func `Titles are truncated to the terminal's width`() async throws {
    let store = FakeStore(items: [.sample(1, String(repeating: "long ", count: 40))])
    let text = try await run(store, width: 60)
    let line = try #require(text.split(separator: "\n").first)
    #expect(line.count == 60)
    #expect(line.hasSuffix("…"))
  }

  @Test func `Control characters of a feed do not reach the terminal`() async throws {
    let store = FakeStore(items: [
      .sample(1, "a\u{1B}]0;owned\u{7}b\u{9B}31mc\u{202E}d\ne\tf\u{0}", feedTitle: "x\u{1B}[2Jy")
    ])
    let text = try await run(store)
    #expect(text.hasPrefix("1    1 1h x\u{FFFD}[2Jy a\u{FFFD}]0;owned\u{FFFD}b\u{FFFD}31mcd e f\u{FFFD}\n"))
  }

  @Test func `Right-to-left titles are isolated`() async throws {
    let store = FakeStore(items: [.sample(1, "أخبار اليوم")])
    let text = try await run(store)
    #expect(text.contains("\u{2068}أخبار اليوم\u{2069}"))
  }

  @Test func `Filters are combined into one query`() async throws {
    let feed = Feed(id: Feed.ID(rawValue: 7), url: "https://example.org/7", title: "Seven", position: 1)
    let store = FakeStore(items: [.sample(1, "T", feed: 7, isRead: false)], feeds: [feed])
    let filter = ItemFilter(feeds: ["Seven"], isRead: false)
    _ = try await run(store, ListRoute(filter: filter))
    let query = store.state.withLock { $0.requests.first?.query }
    #expect(query == .and([.feedID(feed.id), .isRead(false)]))
  }

  @Test func `An error of the store is reported, not shown as an empty list`() async throws {
    let store = FakeStore(failure: StoreError(code: .corrupt, message: "The store is damaged."))
    #expect(try await run(store) == "newsd: The store is damaged.\n")
  }

  @Test func `A list of all items is emitted in parts with continuous numbers`() async throws {
    let store = FakeStore(items: (1...600).map { .sample($0, "T\($0)") })
    let output = try ItemOutput(format: .text, terminal: .plain())
    let collected = Collected<NewsListViewModel>()
    try await NewsListInteractor(
      news: store,
      filters: .plain(store),
      presenter: NewsListPresenter(output.needs, times: output.shape.terminal.times)
    )
    .run(ListRoute(extent: .all), emit: collected.emit)
    #expect(collected.all.count > 2)
    #expect(collected.all.flatMap { $0.content?.lines ?? [] }.map(\.ordinal) == Array(1...600))
    #expect(collected.all.map(\.isLast) == Array(repeating: false, count: collected.all.count - 1) + [true])
  }

  @Test func `A number opens the item that the list shows under it`() throws {
    let page = PageInfo(number: 2, size: 2, total: 4)
    let list = NewsListViewModel(
      items: [ItemMatch(item: .sample(30, "a")), ItemMatch(item: .sample(40, "b"))],
      page: page
    )
    let router = NewsListRouter()
    #expect(try router.open(3, in: list) == .items([NewsItem.ID(rawValue: 30)]))
    #expect(try router.open(2, in: list) == .items([NewsItem.ID(rawValue: 40)]))
    #expect(throws: UserMessage.self) { try router.open(5, in: list) }
    #expect(throws: UserMessage.self) { try router.open(0, in: list) }
  }

  @Test func `The chart shows the number of items per day as bars`() async throws {
    let store = FakeStore(items: [
      .sample(1, "a", hoursAgo: 1), .sample(2, "b", hoursAgo: 2), .sample(3, "c", hoursAgo: 50),
    ])
    let writer = FakeOutput()
    let view = NewsListChartView(terminal: .plain(width: 24))
    let screen = Screen(view: view, output: writer, messages: writer)
    try await NewsListChartInteractor(news: store, filters: .plain(store))
      .run(ListRoute(), emit: screen.emit)
    #expect(
      writer.text == """
        2026-11-18 1 █████
        2026-11-19 0
        2026-11-20 2 ██████████

        """
    )
  }

  @Test func `A chart in a machine format gives the counts`() async throws {
    let store = FakeStore(items: [.sample(1, "a", hoursAgo: 1), .sample(2, "b", hoursAgo: 30)])
    let writer = FakeOutput()
    let view = try OutputShape(format: .json, terminal: .plain()).view(
      Tables.chart,
      text: NewsListChartView(terminal: .plain())
    )
    let screen = Screen(view: view, output: writer, messages: writer)
    try await NewsListChartInteractor(news: store, filters: .plain(store))
      .run(ListRoute(), emit: screen.emit)
    let counts = #"[{"schema":1,"day":"2026-11-19","count":1},{"schema":1,"day":"2026-11-20","count":1}]"#
    #expect(writer.text.filter { !$0.isWhitespace } == counts)
  }

  @Test func `Several feeds or folders are combined with OR, feeds and folders with AND`() async throws {
    let feeds = (1...2).map {
      Feed(
        id: Feed.ID(rawValue: $0),
        url: "https://\($0).example/",
        title: "F\($0)",
        folder: "A/\($0)",
        position: 1
      )
    }
    let store = FakeStore(items: [.sample(1, "T", feed: 1, isRead: false)], feeds: feeds)
    let filter = ItemFilter(feeds: ["F1", "F2"], folders: ["A/1", "A/2"])
    _ = try await run(store, ListRoute(filter: filter), format: .ids)
    let query = store.state.withLock { $0.requests.first?.query }
    #expect(
      query
        == .and([.or([.feedID(feeds[0].id), .feedID(feeds[1].id)]), .or([.folder("A/1"), .folder("A/2")])])
    )
  }

  @Test func `The hint for the next page of a list by relevance names --page, not --before`() async throws {
    let store = FakeStore(items: (1...3).map { .sample($0, "T\($0)") })
    let text = try await run(store, ListRoute(order: .relevance, extent: .page(1, size: 2)))
    #expect(text.hasSuffix("Page 1 of 2 · 3 items · next: newsd list --page 2\n"))
  }

  @Test func `An item without a title shows its summary, then its text`() async throws {
    var toot = NewsItem.sample(1, "")
    toot.summary = "Short"
    toot.contentText = "Long"
    var other = NewsItem.sample(2, "")
    other.contentText = "Only text"
    let store = FakeStore(items: [toot, other])
    let text = try await run(store)
    #expect(text.contains("Example Short\n") && text.contains("Example Only text\n"))
    #expect(store.state.withLock { $0.requests.first?.parts } == .headlineText)
  }

  @Test func `Marking a selection changes and counts only items with another state`() async throws {
    let store = FakeStore(items: [
      .sample(1, "a", isRead: false), .sample(2, "b", isRead: true), .sample(3, "c", isRead: false),
    ])
    let collected = Collected<MarkViewModel>()
    let filter = ItemFilter(query: .text(TextMatch(text: "a")))
    try await MarkInteractor(marking: store, news: store, filters: .plain(store))
      .run(MarkRoute(.selected(filter), .read), emit: collected.emit)
    #expect(store.state.withLock { $0.items.map(\.isRead) } == [true, true, false])
    #expect(collected.last?.content?.notes.map(\.string) == ["1 item marked read"])
  }

  @Test func `next selects the first unread item and marks it read; it fails if none is unread`()
    async throws
  {
    let store = FakeStore(items: [.sample(1, "seen", isRead: true), .sample(2, "fresh", isRead: false)])
    let output = try ItemOutput(format: .ids, terminal: .plain())
    let presenter = NewsItemPresenter(output.needs, times: output.shape.terminal.times)
    let item = NewsItemInteractor(
      news: store,
      richText: HostileItems.richText,
      marking: store,
      presenter: presenter
    )
    let interactor = NextItemInteractor(news: store, filters: .plain(store), item: item)
    let collected = Collected<NewsItemViewModel>()
    try await interactor.run(NextItemRequest(filter: ItemFilter()), emit: collected.emit)
    #expect(collected.last?.content?.items.map(\.item.id.rawValue) == [2])
    #expect(store.state.withLock { $0.items.allSatisfy(\.isRead) })
    try await interactor.run(NextItemRequest(filter: ItemFilter()), emit: collected.emit)
    #expect(collected.last?.failure?.code == .nothingMatched)
  }

  @Test func `An item that could not be shown stays unread`() async throws {
    let store = FakeStore(items: [.sample(2, "fresh", isRead: false)])
    let output = try ItemOutput(format: .ids, terminal: .plain())
    let interactor = NewsItemInteractor(
      news: store,
      richText: HostileItems.richText,
      marking: store,
      presenter: NewsItemPresenter(output.needs, times: output.shape.terminal.times)
    )
    await #expect(throws: OutputError.self) {
      try await interactor.run([NewsItem.ID(rawValue: 2)]) { _ in throw OutputError.closed }
    }
    #expect(store.state.withLock { !$0.items[0].isRead })
  }

  @Test func `Marking ids marks the existing items and reports missing ids`() async throws {
    let store = FakeStore(items: [.sample(1, "a", isRead: false)])
    let collected = Collected<MarkViewModel>()
    let ids = [1, 9].map { NewsItem.ID(rawValue: $0) }
    try await MarkInteractor(marking: store, news: store, filters: .plain(store))
      .run(MarkRoute(ids, .read), emit: collected.emit)
    #expect(store.state.withLock { $0.items[0].isRead })
    #expect(
      collected.last?.failure
        == UserMessage(code: .notFound, text: "no item 9 in the store; 1 item marked read")
    )
  }
}
