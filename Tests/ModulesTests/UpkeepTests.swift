import NewsCore
import Testing

@testable import Modules
@testable import NewsFormats
@testable import NewsText

@Suite struct `Output of prune, check and empty lists` {
  private struct Pruning: StoreMaintaining, QuotaKeeping, PartialFake {
    var error: StoreError?
    func prune(
      _ rules: RetentionRules,
      at now: Timestamp,
      dryRun: Bool,
      progress: @escaping @Sendable (Int) -> Void
    ) async throws(StoreError) -> PruneReport {
      if let error { throw error }
      progress(1200)
      return PruneReport(feeds: [
        .init(feedID: Feed.ID(rawValue: 7), title: "A\tfeed\u{1B}[31m", count: rules.general.days ?? 0)
      ])
    }
  }

  private struct Checking: StoreMaintaining, PartialFake {
    static let index = StoreProblem(kind: .index, message: "2 words", isRepairable: true)
    static let page = StoreProblem(kind: .integrity, message: "page 4", isRepairable: false)
    func check(progress: @escaping StoreProgressHandler) async throws(StoreError) -> [StoreProblem] {
      progress(StoreProgress(done: 40, total: 100))
      return [Self.index, Self.page]
    }
    func repair(progress: @escaping StoreProgressHandler) async throws(StoreError) -> StoreRepair {
      progress(StoreProgress(done: 40, total: 100))
      return StoreRepair(found: [Self.index, Self.page], remaining: [Self.page])
    }
  }

  private func shape(_ format: OutputFormat) -> OutputShape {
    OutputShape(format: format, terminal: .plain())
  }

  @Test(arguments: [
    (OutputFormat.text, "7\t3\tA feed\u{FFFD}[31m\n"),
    (.jsonl, "{\"schema\":1,\"feed_id\":7,\"items\":3,\"feed\":\"A\\tfeed\\u001b[31m\"}\n"),
  ])
  func `The report of pruning has the requested format`(_ format: OutputFormat, _ expected: String)
    async throws
  {
    let output = FakeOutput()
    let messages = FakeOutput()
    let screen = Screen(view: try shape(format).view(Tables.pruned), output: output, messages: messages)
    let interactor = PruneInteractor(pruning: Pruning(), clock: FixedClock(time: Timestamp(seconds: 0)))
    let rules = RetentionRules(general: RetentionPolicy(days: 3))
    try await interactor.run((rules, isDryRun: true), emit: screen.emit)
    #expect(output.text == expected)
    #expect(messages.text == "3 items would be removed\n")
  }

  @Test func `If the store fails, pruning reports the error and no removals`() async throws {
    let output = FakeOutput()
    let screen = Screen(view: try shape(.text).view(Tables.pruned), output: output, messages: output)
    let error = StoreError(code: .full, message: "full")
    let clock = FixedClock(time: Timestamp(seconds: 0))
    let interactor = PruneInteractor(pruning: Pruning(error: error), clock: clock)
    try await interactor.run((RetentionRules(), isDryRun: false), emit: screen.emit)
    #expect(output.text == "newsd: full\n")
    #expect(screen.exitStatus == .io)
  }

  @Test(arguments: [
    (false, "index\trepairable\t2 words\nintegrity\tlost\tpage 4\n"),
    (true, "index\tmended\t2 words\nintegrity\tlost\tpage 4\n"),
  ])
  func `Problems are listed with their outcomes`(_ repairs: Bool, _ expected: String) async throws {
    let output = FakeOutput()
    let messages = FakeOutput()
    let screen = Screen(view: try shape(.tsv).view(Tables.problems), output: output, messages: messages)
    let route = CheckRequest(store: "news.db", repairs: repairs)
    try await CheckInteractor(store: Checking()).run(route, emit: screen.emit)
    #expect(output.text == expected)
    #expect(messages.text.hasPrefix("newsd: news.db has \(repairs ? "1 problem" : "2 problems"); "))
    #expect(screen.exitStatus == .io)
  }

  @Test func `Pruning and checking show their progress`() async throws {
    func messages<Content: ScreenContent>(
      _ view: any ContentView<Content>,
      _ run: (@escaping Emit<Content>) async throws -> Void
    ) async throws -> String {
      let messages = FakeOutput()
      let progress = ProgressLine(width: { 80 })
      let screen = Screen(view: view, output: FakeOutput(), messages: messages, progress: progress)
      try await run(screen.emit)
      return messages.text
    }
    let clock = FixedClock(time: Timestamp(seconds: 0))
    let prune = try await messages(try shape(.text).view(Tables.pruned)) { emit in
      let route = (rules: RetentionRules(), isDryRun: false)
      try await PruneInteractor(pruning: Pruning(), clock: clock).run(route, emit: emit)
    }
    #expect(prune.contains("pruning · 1200 items"))
    let check = try await messages(try shape(.text).view(Tables.problems)) { emit in
      let route = CheckRequest(store: "news.db", repairs: false)
      try await CheckInteractor(store: Checking()).run(route, emit: emit)
    }
    #expect(check.contains("checking · 40 of 100 steps"))
  }

  @Test func `An empty list gives a message on a terminal, and no output elsewhere`() async throws {
    for (isTerminal, expected) in [
      (true, "no rules yet: 'newsd rules add QUERY --do ACTION' adds one\n"), (false, ""),
    ] {
      let output = FakeOutput()
      let screen = Screen(
        view: try shape(.text).view(Tables.rules),
        output: output,
        messages: output,
        tellsOfNothing: isTerminal
      )
      try screen.show(RulesPresenter().list([]))
      #expect(output.text == expected)
      #expect(screen.exitStatus == .done)
    }
  }
}
