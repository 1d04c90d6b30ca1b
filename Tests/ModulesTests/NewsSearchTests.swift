import NewsCore
import Synchronization
import Testing

@testable import Modules
@testable import NewsFormats
@testable import NewsText

@Suite struct `News search` {
  private func interactor(
    _ store: FakeStore,
    _ output: ItemOutput
  ) -> NewsSearchInteractor {
    NewsSearchInteractor(
      news: store,
      filters: .plain(store),
      history: store,
      clock: FixedClock(time: .noon),
      presenter: NewsSearchPresenter(output.needs, times: output.shape.terminal.times)
    )
  }

  @Test func `A word of one letter is searched, and the history is saved after the output`()
    async throws
  {
    let store = FakeStore(items: [.sample(1, "C and D"), .sample(2, "nothing else")])
    let output = try ItemOutput(format: .text, terminal: .plain())
    let emit: Emit<NewsSearchViewModel> = { container in
      store.state.withLock { $0.log.append("shown \(container.content?.list.lines.count ?? -1)") }
    }
    try await interactor(store, output).run(SearchRoute(text: "C"), emit: emit)
    #expect(store.state.withLock { $0.log } == ["shown 1", "remember C"])
  }

  @Test func `Recent searches are listed newest first, without repeats`() async throws {
    let store = FakeStore()
    let output = try ItemOutput(format: .text, terminal: .plain())
    for text in ["a", "b", "a"] {
      try await interactor(store, output).run(SearchRoute(text: text), emit: Collected().emit)
    }
    let writer = FakeOutput()
    let view = try OutputShape(terminal: .plain()).view(Tables.searchHistory)
    let screen = Screen(view: view, output: writer, messages: writer)
    try await SearchHistoryInteractor(history: store).run(10, emit: screen.emit)
    #expect(writer.text == "a\nb\n")
  }

  @Test func `Matches are highlighted in title and excerpt`() throws {
    var terminal = Terminal.plain(width: 80)
    terminal.usesColour = true
    let output = try ItemOutput(format: .text, terminal: terminal)
    let match = ItemMatch(
      item: .sample(1, "The linux kernel"),
      title: MarkedText(runs: [.init(text: "The ", isMatch: false), .init(text: "linux", isMatch: true)]),
      excerpt: MarkedText(runs: [
        .init(text: "on ", isMatch: false), .init(text: "Linux\u{1B}", isMatch: true),
      ]),
      folded: 2
    )
    let content = NewsSearchPresenter(output.needs, times: output.shape.terminal.times).list.present(
      [match],
      first: 1,
      isLast: true
    )
    let text = try rendered(view(output, { NewsListView(terminal: $0) }), #require(content.content))
    #expect(text.contains("The \u{1B}[1;33mlinux\u{1B}[0m"))
    #expect(text.contains("(+2)"))
    #expect(text.contains("\n    \u{1B}[2mon \u{1B}[0m\u{1B}[1;33mLinux\u{FFFD}\u{1B}[0m\n"))
  }

  @Test(arguments: [
    (OutputFormat.tsv, "1\tThe on Linux\n"), (.csv, "id,excerpt\r\n1,The on Linux\r\n"),
    (.jsonl, "{\"schema\":1,\"id\":1,\"excerpt\":\"The on Linux\"}\n"), (.template, "1: The on Linux\n"),
  ])
  func `Formats for programs contain the excerpt on request`(_ format: OutputFormat, _ expected: String)
    throws
  {
    func output(_ fields: [String]?) throws -> ItemOutput {
      let template = format == .template ? "{id}: {excerpt}" : nil
      return try ItemOutput(format: format, fields: fields, template: template, terminal: .plain())
    }
    let excerpt = MarkedText(runs: [
      .init(text: "The on ", isMatch: false), .init(text: "Linux", isMatch: true),
    ])
    let match = ItemMatch(item: .sample(1, "A"), excerpt: excerpt)
    let named = try output(["id", "excerpt"])
    let presenter = NewsSearchPresenter(named.needs, times: named.shape.terminal.times).list
    #expect(presenter.parts == [.excerpt])
    let content = presenter.present([match], first: 1, isLast: true)
    #expect(
      try rendered(view(named, { NewsListView(terminal: $0) }), #require(content.content)) == expected
    )
    guard format != .template else { return }
    #expect(
      try !rendered(view(try output(nil), { NewsListView(terminal: $0) }), #require(content.content))
        .contains("excerpt")
    )
  }

  @Test(arguments: [
    ("appl*", "Page 1 · more than 1 items · next: newsd list --before 2\n"),
    ("apple", "Page 1 of 2 · 2 items · next: newsd list --before 2\n"),
  ])
  func `The matches of a word's beginning are not counted`(_ query: String, _ footer: String) async throws {
    let store = FakeStore(items: [.sample(1, "apple"), .sample(2, "apple pie")])
    let output = try ItemOutput(format: .text, terminal: .plain())
    let writer = FakeOutput()
    let screen = Screen(
      view: view(output, { NewsSearchView(terminal: $0) }),
      output: writer,
      messages: writer
    )
    let list = ListRoute(extent: .page(1, size: 1))
    try await interactor(store, output).run(SearchRoute(text: query, list: list), emit: screen.emit)
    #expect(writer.text.hasSuffix("\n" + footer))
  }

  @Test func `The router of a search opens a match and marks all matches`() throws {
    let list = NewsListViewModel(items: [ItemMatch(item: .sample(9, "x"))])
    let found = NewsSearchViewModel(list: list, isCounted: true)
    #expect(try NewsSearchRouter().open(1, in: found) == .items([NewsItem.ID(rawValue: 9)]))
    let search = SearchRoute(text: "x")
    #expect(NewsSearchRouter().marking(search, .read) == MarkRoute(.found(search), .read))
  }

  @Test func `An invalid query is a usage error and is not saved in the history`() async throws {
    let store = FakeStore()
    let output = try ItemOutput(format: .text, terminal: .plain())
    let collected = Collected<NewsSearchViewModel>()
    try await interactor(store, output).run(
      SearchRoute(text: "since:x"),
      emit: collected.emit
    )
    #expect(collected.last?.failure?.code == .usage)
    #expect(store.state.withLock { $0.searches.isEmpty })
  }

  @Test func `sort: in the query takes precedence over the order of the list`() async throws {
    let store = FakeStore(items: [.sample(1, "apple")])
    let output = try ItemOutput(format: .text, terminal: .plain())
    let search = interactor(store, output)
    for (text, order) in [("apple sort:oldest", ItemOrder.oldest), ("apple", .newest)] {
      try await search.run(
        SearchRoute(text: text, list: ListRoute(order: .newest)),
        emit: Collected<NewsSearchViewModel>().emit
      )
      #expect(store.state.withLock { $0.requests.last?.order } == order)
    }
  }
}
