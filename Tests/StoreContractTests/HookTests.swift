@testable import NewsCore
import NewsStoresShared
import SearchCases
import Synchronization
import TestSupport
import Testing

/// The outbox of hooks in the store.
@Suite(.everyStore) struct `Outbox` {
  private let temporary: TemporaryStore
  private var store: any StorePorts { temporary.store }
  private let feed: Feed

  init() async throws {
    temporary = try TemporaryStore()
    feed = try await temporary.subscribe()
    // The first document is the backlog.
    try await temporary.refresh(feed, [ParsedItem("old", title: "Old rust")], at: 1000)
  }

  private func hook(_ name: String, _ query: String?, _ events: Set<HookEvent> = []) -> Hook {
    var hook = Hook(name: name, target: .exec(["true"]))
    hook.query = query
    hook.events = events
    return hook
  }

  private func next(_ hook: String, _ seconds: Int64, before: Int64? = nil, hold: Int64 = 360) async throws
    -> HookDelivery?
  {
    try await store.nextDelivery(
      of: hook,
      at: Timestamp(seconds: seconds),
      before: before.map(Timestamp.init(seconds:)),
      hold: hold
    )
  }

  private func titles(_ delivery: HookDelivery?) async throws -> [String] {
    var titles: [String] = []
    for id in delivery?.entries.compactMap(\.itemID) ?? [] { titles.append(try await store.item(id).title) }
    return titles
  }

  /// Takes and settles everything that is due.
  private func drain(_ hook: String, _ seconds: Int64 = 1_000_000) async throws -> [String] {
    var found: [String] = []
    while let delivery = try await next(hook, seconds) {
      found += try await titles(delivery)
      try await store.settle(delivery, .delivered, at: Timestamp(seconds: seconds))
    }
    return found
  }

  private func pending() async throws -> [Int] { try await store.hookStates().map(\.pending) }

  @Test func `New items that a hook's query selects are delivered in the order of their ids`() async throws {
    try await store.register([hook("a", "rust"), hook("all", "")], isComplete: true)
    try await temporary.refresh(
      feed,
      [
        ParsedItem("2", title: "Two rust"), ParsedItem("1", title: "One"),
        ParsedItem("old", title: "Old rust"),
      ],
      at: 2000
    )
    #expect(try await drain("a") == ["Two rust"])
    #expect(try await drain("all") == ["One", "Two rust"])
    let state = try #require(try await store.hookStates().last)
    #expect(state.delivered == 2 && state.pending == 0)
  }

  @Test func `Hooks of the page are kept by name, and replaced as a whole`() async throws {
    #expect(try await store.pageHooks().isEmpty)
    let second = PageHook(name: "b", preset: "ntfy", query: "tag:\"ä'\"", values: ["your-topic": "t\u{1}\"ä"])
    try await store.keep(second)
    try await store.keep(PageHook(name: "a", preset: "mail", values: ["mail": "a@b"]))
    let changed = PageHook(name: "a", preset: "mail", values: ["mail": "c@d"])
    try await store.keep(changed)
    #expect(try await store.pageHooks() == [changed, second])
    try await store.removePageHook("b")
    try await store.removePageHook("unknown")
    #expect(try await store.pageHooks() == [changed])
    for number in 0...PageHook.most { try await store.keep(PageHook(name: "b\(number)", preset: "mail")) }
    #expect(try await store.pageHooks().count == PageHook.most)
  }

  @Test func `A process follows the hooks that the page of another one adds and removes`() async throws {
    var source = HookRegistry.Source()
    source.configured = HookSet(configured: [hook("own", "")])
    let preset = HookPreset(
      name: "mail",
      summary: "Mail: send",
      advice: "",
      hook: Hook(name: "mail", target: .mail("you@example.org")),
      secrets: [:]
    )
    source.presets = { [preset] }
    let (one, other) = (HookRegistry(source), HookRegistry(source))
    for registry in [one, other] { try await registry.update(store) }
    try await store.keep(PageHook(name: "a", preset: "mail", values: ["mail": "a@b.example"]))
    try await one.update(store)
    #expect(try await store.hookStates().filter(\.isActive).map(\.name) == ["a", "own"])
    #expect(other.current.hooks.map(\.name) == ["own"])
    try await other.update(store)
    #expect(other.current.hooks.map(\.name) == ["own", "a"])
    try await temporary.refresh(feed, [ParsedItem("1", title: "One")], at: 2000)
    #expect(try await pending() == [1, 1])
    try await store.removePageHook("a")
    try await other.update(store)
    try await one.update(store)
    #expect(try await store.hookStates().map(\.isActive) == [false, true])
    #expect(one.current.hooks.map(\.name) == ["own"])
  }

  @Test func `A new hook does not fire for older items`() async throws {
    try await store.register([hook("a", "")], isComplete: true)
    #expect(try await next("a", 5000) == nil)
    try await temporary.refresh(feed, [ParsedItem("old", title: "Old rust")], at: 2000)
    #expect(try await next("a", 5000) == nil)
  }

  @Test func `The first items of a new feed are delivered only by hooks that take the backlog`() async throws
  {
    var taking = hook("taking", "")
    taking.takesBacklog = true
    try await store.register([hook("a", ""), taking], isComplete: true)
    let other = try await temporary.subscribe("http://example.org/other")
    try await temporary.refresh(other, [ParsedItem("1", title: "First")], at: 2000)
    #expect(try await pending() == [0, 1])
    try await temporary.refresh(other, [ParsedItem("2", title: "Second")], at: 3000)
    #expect(try await pending() == [1, 2])
  }

  @Test func `Rules apply before a hook's query, and dropped items are not delivered`() async throws {
    _ = try await store.addRule("title:one", do: [.tag("hot")], until: nil, at: Timestamp(seconds: 1))
    _ = try await store.addRule("title:two", do: [.drop], until: nil, at: Timestamp(seconds: 1))
    try await store.register([hook("a", "tag:hot"), hook("b", "is:unread")], isComplete: true)
    try await temporary.refresh(
      feed,
      [ParsedItem("1", title: "One"), ParsedItem("2", title: "Two")],
      at: 2000
    )
    #expect(try await drain("a") == ["One"])
    #expect(try await drain("b") == ["One"])
  }

  @Test func `Edits fire hooks that ask for them`() async throws {
    try await store.register([hook("a", ""), hook("edits", nil, [.edited])], isComplete: true)
    try await temporary.refresh(feed, [ParsedItem("old", title: "Old rust, corrected")], at: 2000)
    #expect(try await next("a", 5000) == nil)
    let delivery = try await next("edits", 5000)
    #expect(delivery?.entries.map(\.event) == [.edited])
  }

  @Test func `A delivery's key is the hook's name and a number of the change log, the same in every attempt`()
    async throws
  {
    try await store.register([hook("a", "")], isComplete: true)
    try await temporary.refresh(feed, [ParsedItem("1", title: "One")], at: 2000)
    let first = try #require(try await next("a", 2000))
    let sequence = try await store.item(try #require(first.entries.first?.itemID)).sequence
    #expect(first.key == "a-\(sequence)")
    try await store.settle(first, .postponed("status 500", wait: 20, pause: 10), at: Timestamp(seconds: 2000))
    #expect(try await next("a", 2019) == nil)
    let second = try #require(try await next("a", 2020))
    #expect(second.key == first.key && second.attempts == 1)
    #expect(second.hookFailures == 1)
  }

  @Test func `After a failure the hook pauses; then its other deliveries come before the next attempt`()
    async throws
  {
    try await store.register([hook("a", "")], isComplete: true)
    try await temporary.refresh(
      feed,
      [ParsedItem("2", title: "Two"), ParsedItem("1", title: "One")],
      at: 2000
    )
    let first = try #require(try await next("a", 2000))
    try await store.settle(
      first,
      .postponed("status 500", wait: 100, pause: 10),
      at: Timestamp(seconds: 2000)
    )
    #expect(try await next("a", 2005) == nil)
    #expect(try await titles(next("a", 2010)) == ["Two"])
  }

  @Test func `A retry ends the pause of a hook, and counts what waited for its end`() async throws {
    try await store.register([hook("a", ""), hook("b", "")], isComplete: true)
    try await temporary.refresh(
      feed,
      [ParsedItem("2", title: "Two"), ParsedItem("1", title: "One")],
      at: 2000
    )
    let first = try #require(try await next("a", 2000))
    try await store.settle(
      first,
      .postponed("status 500", wait: 10, pause: 600),
      at: Timestamp(seconds: 2000)
    )
    #expect(try await next("a", 2100) == nil)
    #expect(try await store.retryHook(nil, at: Timestamp(seconds: 2100)) == 2)
    #expect(try await drain("a", 2100).count == 2)
    #expect(try await store.retryHook(nil, at: Timestamp(seconds: 2100)) == 0)
  }

  @Test func `A refused delivery is listed as failed, and can be retried and dropped`() async throws {
    try await store.register([hook("a", "")], isComplete: true)
    try await temporary.refresh(
      feed,
      [ParsedItem("2", title: "Two"), ParsedItem("1", title: "One")],
      at: 2000
    )
    let first = try #require(try await next("a", 2000))
    try await store.settle(first, .givenUp("status 404"), at: Timestamp(seconds: 2000))
    #expect(try await titles(next("a", 2000)) == ["Two"])
    let failed = try await store.failedEntries()
    #expect(
      failed.map(\.title) == ["One"] && failed.first?.error == "status 404" && failed.first?.key == first.key
    )
    let state = try #require(try await store.hookStates().first)
    #expect(state.failed == 1 && state.pending == 1 && state.lastError == "status 404")
    #expect(try await store.retryHook("a", at: Timestamp(seconds: 2001)) == 1)
    #expect(try await store.hookStates().first?.pending == 2)
    #expect(try await store.dropHook("a", onlyFailed: false) == 2)
    #expect(try await next("a", 9000) == nil)
  }

  @Test func `A digest contains the entries from before its time, the same in every attempt`() async throws {
    try await store.register([hook("a", "")], isComplete: true)
    try await temporary.refresh(
      feed,
      [ParsedItem("2", title: "Two"), ParsedItem("1", title: "One")],
      at: 2000
    )
    #expect(try await next("a", 2100, before: 2000) == nil)
    let first = try #require(try await next("a", 3600, before: 3600))
    #expect(try await titles(first) == ["One", "Two"])
    try await store.settle(first, .postponed("down", wait: 60, pause: 10), at: Timestamp(seconds: 3600))
    try await temporary.refresh(feed, [ParsedItem("3", title: "Three")], at: 3650)
    let second = try #require(try await next("a", 7300, before: 7200))
    #expect(second.key == first.key)
    #expect(try await titles(second) == ["One", "Two"])
    try await store.settle(second, .delivered, at: Timestamp(seconds: 7300))
    #expect(try await titles(next("a", 7300, before: 7200)) == ["Three"])
  }

  @Test func `A hook removed from the configuration keeps its outbox entries and gets no new ones`()
    async throws
  {
    try await store.register([hook("a", "")], isComplete: true)
    try await temporary.refresh(feed, [ParsedItem("1", title: "One")], at: 2000)
    try await store.register([hook("b", "")], isComplete: false)
    #expect(try await store.hookStates().map(\.isActive) == [true, true])
    try await store.register([hook("b", "")], isComplete: true)
    #expect(try await store.hookStates().map(\.isActive) == [false, true])
    try await temporary.refresh(feed, [ParsedItem("2", title: "Two")], at: 3000)
    #expect(try await pending() == [1, 1])
    #expect(try await store.dropHook("a", onlyFailed: false) == 1)
    #expect(try await store.hookStates().map(\.name) == ["b"])
  }

  @Test func `A query whose saved search is gone is reported as the hook's error`() async throws {
    try await store.register([hook("a", "saved:nothing")], isComplete: true)
    try await temporary.refresh(feed, [ParsedItem("1", title: "One")], at: 2000)
    #expect(try await store.hookStates().first?.lastError?.contains("nothing") == true)
  }

  @Test func `An item that waits for its article is delivered with it, or without it after ten minutes`()
    async throws
  {
    var settings = FeedSettings()
    settings.article = .always
    try await store.update(feed.id, settings: settings, general: 900...86_400)
    try await store.register([hook("a", ""), hook("b", "")], isComplete: true)
    try await temporary.refresh(
      feed,
      [ParsedItem("1", title: "One", text: "Short", url: "https://example.org/1")],
      at: 2000
    )
    #expect(try await next("a", 2100) == nil)
    #expect(try await titles(next("b", 2600)) == ["One"])
    let job = try #require(
      try await store.takeArticles(at: Timestamp(seconds: 2000), limit: 1, lease: 10).first
    )
    try await store.keep(
      ArticleRecord(
        itemID: job.itemID,
        outcome: .fetched(html: "<p>Long</p>", text: "Long"),
        time: Timestamp(seconds: 2001)
      )
    )
    #expect(try await titles(next("a", 2100)) == ["One"])
  }

  @Test func `Retention keeps items that are not delivered yet`() async throws {
    try await store.register([hook("a", "")], isComplete: true)
    try await temporary.refresh(feed, [ParsedItem("1", title: "One", published: 1500)], at: 2000)
    let rules = RetentionRules(
      general: RetentionPolicy(days: 1),
      folders: [:],
      includesUnread: true,
      includesStarred: true
    )
    _ = try await store.prune(rules, at: Timestamp(seconds: 10_000_000), dryRun: false)
    #expect(try await temporary.titles() == ["One"])
    #expect(try await drain("a") == ["One"])
    _ = try await store.prune(rules, at: Timestamp(seconds: 10_000_000), dryRun: false)
    #expect(try await temporary.titles().isEmpty)
  }

  // MARK: Holding deliveries

  @Test func `A delivery whose attempt is interrupted can be made again at once`() async throws {
    try await store.register([hook("a", "")], isComplete: true)
    try await temporary.refresh(feed, [ParsedItem("1", title: "One")], at: 2000)
    let programs = EndlessProgram()
    let runner = runner(programs, FixedClock())
    let delivering = Task { [hook = hook("a", "")] in
      try await runner.drain(hook, while: { true }, isTrusted: { _ in true }) { _ in }
    }
    try await eventually { programs.isRunning }
    delivering.cancel()
    try await delivering.value
    let again = try #require(try await next("a", 2000))
    #expect(try await titles(again) == ["One"] && again.attempts == 0)
  }

  private func runner(
    _ programs: any ProgramRunning,
    _ clock: FixedClock,
    _ memory: MemoryBudget = MemoryBudget(limit: 1 << 20),
    _ renderer: any HookRendering = BodyOfKey()
  ) -> HookRunner {
    HookRunner(
      store: store,
      items: store,
      sender: HookSender(
        poster: nil,
        programs: programs,
        secrets: [:],
        mailer: "sendmail",
        reachesAnywhere: false,
        clock: clock
      ),
      renderer: renderer,
      memory: memory,
      account: "a",
      clock: clock,
      offset: { _ in 0 }
    )
  }

  // MARK: Memory

  /// Stores items with texts of so many bytes, or edits them.
  private func fill(_ sizes: [Int], at time: Int64 = 2000) async throws {
    let items = sizes.enumerated().map { place, size in
      let word = "at\(time) "
      let text = word + String(repeating: "x", count: size - word.utf8.count)
      return ParsedItem("\(place)", title: "Item \(place)", text: text)
    }
    // One refresh each: a server ends a transaction whose client takes too long to prepare the next large item.
    for item in items { try await temporary.refresh(feed, [item], at: time) }
  }

  @Test(.timeLimit(.minutes(1)))
  func `A large delivery waits for memory without being held; those before it do not wait`() async throws {
    try await store.register([hook("a", "")], isComplete: true)
    try await fill([300, 300_000, 300])
    let memory = MemoryBudget(limit: 1 << 20)
    // All the memory, and the place beside it.
    let full = await memory.claim(1 << 20, of: "b")
    var beside: MemoryBudget.Claim? = await memory.claim(1 << 20, of: "b")
    let program = RecordingProgram(failing: "")
    let runner = runner(program, FixedClock(), memory)
    let delivering = Task { [hook = hook("a", "")] in
      try await runner.drain(hook, while: { true }, isTrusted: { _ in true }) { _ in }
    }
    try await eventually { memory.waitingCount == 1 }
    #expect(program.inputs.count == 1)
    let large = try #require(try await next("a", 2000, hold: 0))
    #expect(try await titles(large) == ["Item 1"])
    #expect(beside != nil)
    beside = nil
    try await delivering.value
    #expect(program.inputs.count == 3 && program.inputs[1] == large.key)
    #expect(memory.taken == 1 << 20)
    withExtendedLifetime(full) {}
  }

  @Test(.timeLimit(.minutes(1))) func `While a large delivery is sent, its body counts`() async throws {
    try await store.register([hook("a", "")], isComplete: true)
    try await fill([300_000])
    let key = try #require(try await next("a", 2000, hold: 0)).key
    let (memory, program) = (MemoryBudget(limit: 1 << 20), EndlessProgram())
    let runner = runner(program, FixedClock(), memory)
    let delivering = Task { [hook = hook("a", "")] in
      try await runner.drain(hook, while: { true }, isTrusted: { _ in true }) { _ in }
    }
    try await eventually { program.isRunning }
    #expect(memory.taken == key.utf8.count)
    delivering.cancel()
    try await delivering.value
    #expect(memory.taken == 0)
  }

  @Test func `Large and small deliveries are made in order, also more than are read together`() async throws {
    try await store.register([hook("a", "")], isComplete: true)
    let sizes = [20_000, 300_000, 300_000, 200] + Array(repeating: 20_000, count: 30) + [400_000]
    try await fill(sizes)
    let (program, lengths) = (RecordingProgram(failing: ""), TextLengths())
    let memory = MemoryBudget(limit: 1 << 20)
    try await runner(program, FixedClock(), memory, lengths).drain(
      hook("a", ""),
      while: { true },
      isTrusted: { _ in true }
    ) { _ in }
    #expect(program.inputs == sizes.map { "\($0)" })
    #expect(try await pending() == [0])
    #expect(memory.taken == 0)
  }

  @Test func `A digest has 16 MiB of texts at most, and the next one has the rest`() async throws {
    try await store.register([hook("a", "")], isComplete: true)
    try await fill([6 << 20, 6 << 20, 6 << 20])
    let first = try #require(try await next("a", 3600, before: 3600, hold: 0))
    #expect(try await titles(first) == ["Item 0", "Item 1"])
    try await store.settle(first, .postponed("down", wait: 60, pause: 10), at: Timestamp(seconds: 3600))
    let again = try #require(try await next("a", 7200, before: 7200, hold: 0))
    #expect(again.key == first.key && again.entries == first.entries)
    try await store.settle(again, .delivered, at: Timestamp(seconds: 7200))
    let second = try #require(try await next("a", 7200, before: 7200))
    #expect(try await titles(second) == ["Item 2"])
    #expect(second.key != first.key)
  }

  @Test func `Items that have grown since a digest's first attempt are repeated without their texts`()
    async throws
  {
    func lengths(_ texts: [Int]) -> String { texts.map(String.init).joined(separator: " ") }
    try await store.register([hook("a", "")], isComplete: true)
    let (small, large) = (Array(repeating: 9, count: 8), Array(repeating: 2_200_000, count: 8))
    try await fill(small)
    var digest = hook("a", "")
    digest.digest = .every(3600)
    let program = RecordingProgram(failing: lengths(small))
    for time in [3600, 7200] as [Int64] {
      try await runner(program, FixedClock(seconds: time), MemoryBudget(limit: 1 << 20), TextLengths()).drain(
        digest,
        while: { true },
        isTrusted: { _ in true }
      ) { _ in }
      if time == 3600 { try await fill(large, at: 5000) }
    }
    #expect(program.inputs == [lengths(small), lengths(large.dropLast() + [0])])
    #expect(try await pending() == [0])
  }

  // MARK: Batches

  @Test func `Deliveries that were taken in advance are made in order, and later if one fails before them`()
    async throws
  {
    try await store.register([hook("a", "")], isComplete: true)
    try await temporary.refresh(feed, (1...60).map { ParsedItem("\($0)", title: "Item \($0)") }, at: 2000)
    let all = try await store.takeDeliveries(
      of: "a",
      at: Timestamp(seconds: 2000),
      before: nil,
      after: nil,
      limit: 60,
      hold: 60
    )
    try await store.release(all)
    let keys = all.map(\.key)
    let program = RecordingProgram(failing: keys[19])
    try await runner(program, FixedClock()).drain(hook("a", ""), while: { true }, isTrusted: { _ in true }) {
      _ in
    }
    #expect(program.inputs == Array(keys[...19]))
    #expect(try await pending() == [41])
    program.inputs = []
    try await runner(program, FixedClock(seconds: 100_000)).drain(
      hook("a", ""),
      while: { true },
      isTrusted: { _ in true }
    ) {
      _ in
    }
    #expect(program.inputs == Array(keys[20...]) + [keys[19]])
    #expect(try await pending() == [0])
  }

  @Test func `After a change of the settings no delivery is made, and those taken ahead are released`()
    async throws
  {
    try await store.register([hook("a", "")], isComplete: true)
    try await temporary.refresh(feed, (1...60).map { ParsedItem("\($0)", title: "Item \($0)") }, at: 2000)
    let program = RecordingProgram(failing: "")
    // The change comes while the third delivery is made, or between two batches.
    for count in [3, 11] {
      try await runner(program, FixedClock()).drain(
        hook("a", ""),
        while: { program.inputs.count < count },
        isTrusted: { _ in true }
      ) { _ in }
      #expect(program.inputs.count == count)
      #expect(try await pending() == [60 - count])
    }
    #expect(try await drain("a").count == 49)
  }

  @Test func `Deliveries are taken and settled together, in order; after a failure one is taken`()
    async throws
  {
    try await store.register([hook("a", "")], isComplete: true)
    try await temporary.refresh(feed, (1...5).map { ParsedItem("\($0)", title: "Item \($0)") }, at: 2000)
    func take(_ seconds: Int64, _ limit: Int, after last: HookDelivery? = nil) async throws -> [HookDelivery]
    {
      try await store.takeDeliveries(
        of: "a",
        at: Timestamp(seconds: seconds),
        before: nil,
        after: last,
        limit: limit,
        hold: 60
      )
    }
    let first = try await take(2000, 2)
    let all = first + (try await take(2000, 10, after: first[1]))
    #expect(all.count == 5 && all.map(\.number) == all.map(\.number).sorted())
    if StoreKind.current == .postgres { #expect(try await take(2000, 10).isEmpty) }
    try await store.settle(
      [
        (all[0], .delivered), (all[1], .givenUp("status 404")), (all[2], .gone),
        (all[3], .postponed("down", wait: 60, pause: 10)),
      ],
      at: Timestamp(seconds: 2000)
    )
    try await store.release([all[4]])
    #expect(try await take(2005, 10).isEmpty)
    let state = try #require(try await store.hookStates().first)
    #expect(state.delivered == 1 && state.pending == 2 && state.failed == 1 && state.lastError == "down")
    #expect(state.oldest == Timestamp(seconds: 2000))
    let probe = try await take(2100, 10)
    #expect(probe.map(\.key) == [all[4].key] && probe[0].hookFailures == 1)
    try await store.settle([(probe[0], .delivered)], at: Timestamp(seconds: 2100))
    #expect(try await take(2100, 10).map(\.key) == [all[3].key])
  }

  @Test
  func
    `Of more than 100,000 pending entries the oldest are given up, and of more than 10,000 failed ones deleted`()
    async throws
  {
    try await store.register([hook("a", ""), hook("b", "")], isComplete: true)
    func insert(_ numbers: ClosedRange<Int>, due: String, of hook: String = "a") async throws {
      _ = try await temporary.sql(
        """
        INSERT INTO outbox (hook, sequence, event, time, due, error)
        WITH RECURSIVE n (i) AS (SELECT \(numbers.lowerBound) UNION ALL SELECT i + 1 FROM n WHERE i < \(numbers.upperBound))
        SELECT '\(hook)', i, 'store', 2000, \(due), 'status 500' FROM n
        """
      )
    }
    func counts() async throws -> [Int] {
      try await store.hookStates().flatMap { [$0.pending, $0.failed] }
    }
    let now = Timestamp(seconds: 3000)
    try await insert(1...2, due: "2000", of: "b")
    try await insert(1...100_000, due: "2000")
    #expect(try await store.trimOutbox(of: "a", at: now, byAge: true) == 0)
    try await insert(100_001...100_003, due: "2000")
    #expect(try await store.trimOutbox(of: "a", at: now, byAge: true) == 3)
    #expect(try await counts() == [100_000, 3, 2, 0])
    #expect(try await store.failedEntries().map(\.entry.sequence) == [1, 2, 3])
    #expect(try await store.failedEntries().last?.error == "more than 100000 deliveries waited")
    // One call gives up 20,000 entries at most, of which 10,000 stay listed.
    try await insert(100_004...120_005, due: "2000")
    #expect(try await store.trimOutbox(of: "a", at: now, byAge: true) == 20_000)
    #expect(try await counts() == [100_002, 10_000, 2, 0])
    #expect(try await store.trimOutbox(of: "a", at: now, byAge: true) == 2)
    #expect(try await counts() == [100_000, 10_000, 2, 0])
    #expect(try await store.failedEntries().first?.entry.sequence == 10_006)
    #expect(try await store.trimOutbox(of: "a", at: now, byAge: true) == 0)
  }

  @Test func `Entries that are too old are given up, unless they were retried`() async throws {
    try await store.register([hook("a", "")], isComplete: true)
    try await temporary.refresh(feed, [ParsedItem("1"), ParsedItem("2")], at: 2000)
    let week = Timestamp(seconds: 2000) + HookBackoff.lifetime
    #expect(try await store.trimOutbox(of: "a", at: week, byAge: true) == 0)
    #expect(try await store.trimOutbox(of: "a", at: week + 1, byAge: false) == 0)
    #expect(try await store.trimOutbox(of: "a", at: week + 1, byAge: true) == 2)
    #expect(
      try await store.failedEntries().map(\.error)
        == Array(repeating: "it could not be delivered within seven days", count: 2)
    )
    _ = try await store.retryHook("a", at: week + 1)
    #expect(try await store.trimOutbox(of: "a", at: week + 3600, byAge: true) == 0)
    #expect(try await drain("a", week.seconds + 3600).count == 2)
  }

  @Test(arguments: [10_800, HookBackoff.lifetime + 86_400])
  func `A clock that was ahead for a while neither gives up nor delays deliveries`(seconds: Int64)
    async throws
  {
    try await store.register([hook("a", "")], isComplete: true)
    try await temporary.refresh(
      feed,
      [ParsedItem("1", title: "One"), ParsedItem("2", title: "Two")],
      at: 2000
    )
    let key = try #require(try await next("a", 2000, hold: 0)).key
    let ahead = 2000 + seconds
    let failing = RecordingProgram(failing: key)
    try await runner(failing, FixedClock(seconds: ahead)).drain(
      hook("a", ""),
      while: { true },
      isTrusted: { _ in false }
    ) {
      _ in
    }
    #expect(failing.inputs == [key])
    try await temporary.refresh(feed, [ParsedItem("3", title: "Three")], at: ahead)
    // The clock is right again.
    let now = Timestamp(seconds: 2100)
    #expect(try await next("a", 2100) == nil)
    #expect(try await store.trimOutbox(of: "a", at: now, byAge: false) == 0)
    #expect(try await drain("a", 2100).count == 3)
    #expect(try await store.failedEntries().isEmpty)
  }

  @Test(arguments: [false, true])
  func `Items that were stored while the clock was ahead are in the next digest`(isRetried: Bool)
    async throws
  {
    try await store.register([hook("a", "")], isComplete: true)
    try await temporary.refresh(feed, [ParsedItem("1", title: "One")], at: 2000 + 2 * 86_400)
    // The clock is right again.
    let now = Timestamp(seconds: 2000)
    if isRetried { #expect(try await store.retryHook("a", at: now) == 1) }
    #expect(try await store.trimOutbox(of: "a", at: now, byAge: false) == 0)
    #expect(try await next("a", 2010, before: 1980) == nil)
    #expect(try await titles(next("a", 2050, before: 2040)) == ["One"])
  }

  @Test func `Items that were stored while the clock was ahead wait ten minutes for their article`()
    async throws
  {
    var settings = FeedSettings()
    settings.article = .always
    try await store.update(feed.id, settings: settings, general: 900...86_400)
    try await store.register([hook("a", "")], isComplete: true)
    try await temporary.refresh(
      feed,
      [ParsedItem("1", title: "One", text: "Short", url: "https://example.org/1")],
      at: 2000 + 2 * 86_400
    )
    // The clock is right again.
    #expect(try await store.trimOutbox(of: "a", at: Timestamp(seconds: 2000), byAge: false) == 0)
    #expect(try await next("a", 2100) == nil)
    #expect(try await titles(next("a", 2600)) == ["One"])
  }

  @Test func `A delivery that fails a week after its event is given up if the time is trusted`() async throws
  {
    try await store.register([hook("a", "")], isComplete: true)
    try await temporary.refresh(feed, [ParsedItem("1", title: "One")], at: 2000)
    let key = try #require(try await next("a", 2000, hold: 0)).key
    let week = FixedClock(seconds: 2000 + HookBackoff.lifetime)
    try await runner(RecordingProgram(failing: key), week).drain(
      hook("a", ""),
      while: { true },
      isTrusted: { _ in true }
    ) {
      _ in
    }
    #expect(try await store.failedEntries().map(\.key) == [key])
  }

  @Test func `On PostgreSQL, a delivery is reserved for the given time or until it is released`() async throws
  {
    guard StoreKind.current == .postgres else { return }
    try await store.register([hook("a", "")], isComplete: true)
    try await temporary.refresh(feed, [ParsedItem("1", title: "One")], at: 2000)
    let first = try #require(try await next("a", 2000, hold: 3660))
    #expect(try await next("a", 2000, hold: 3660) == nil)
    let isHeld = "SELECT bool_and(taken > clock_timestamp() + interval '3600 s') FROM outbox"
    #expect(try await temporary.sql(isHeld) == "true")
    try await store.release([first])
    #expect(try await next("a", 2000, hold: 0)?.key == first.key)
    #expect(try await next("a", 2000)?.key == first.key)
  }

  // MARK: Events

  private func fail(_ since: Int64, _ now: Int64, isGone: Bool = false) async throws {
    var state = FetchState()
    state.lastFetched = Timestamp(seconds: now)
    state.failures = 3
    state.failingSince = Timestamp(seconds: since)
    state.lastError = "no answer"
    state.isGone = isGone
    _ = try await store.commit([
      RefreshRecord(feedID: feed.id, state: state, parsed: nil, time: Timestamp(seconds: now))
    ])
  }

  private func messages(_ hook: String) async throws -> [String] {
    var found: [String] = []
    while let delivery = try await next(hook, 4_000_000_000) {
      found += delivery.entries.compactMap(\.notice?.message)
      try await store.settle(delivery, .delivered, at: Timestamp(seconds: 4_000_000_000))
    }
    return found
  }

  @Test func `A failing feed is reported once, after the configured time`() async throws {
    try await store.register([hook("a", nil, [.feedFailing])], isComplete: true)
    let day: Int64 = 86_400
    for days in [0, 1, 2] { try await fail(0, Int64(days) * day + 10) }
    #expect(try await messages("a").isEmpty)
    try await fail(0, 3 * day + 10)
    try await fail(0, 4 * day + 10)
    #expect(try await messages("a") == ["Example has failed for 3 days: no answer"])
  }

  @Test func `Gone feeds and moved feeds are reported to hooks that ask for them`()
    async throws
  {
    try await store.register(
      [hook("a", nil, [.feedGone, .feedMoved]), hook("items", "")],
      isComplete: true
    )
    try await fail(0, 10, isGone: true)
    try await fail(0, 20, isGone: true)
    try await store.update(feed.id, url: "http://example.org/new")
    let found = try await messages("a")
    #expect(
      Set(found) == [
        "Example is gone (410); newsd no longer polls it",
        "Example has moved from http://example.org/feed to http://example.org/new",
      ]
    )
    #expect(found.count == 2)
    #expect(try await messages("items").isEmpty)
  }
}

/// A program that runs until its task is cancelled.
private final class EndlessProgram: ProgramRunning {
  private let state = Mutex(false)
  var isRunning: Bool { state.withLock { $0 } }

  func run(_ call: ProgramCall) async -> ProgramResult {
    state.withLock { $0 = true }
    try? await untilCancelled()
    return ProgramResult(end: .cancelled)
  }
}

/// A program that fails at its first call with one input.
private final class RecordingProgram: ProgramRunning {
  private let state: Mutex<(inputs: [String], failing: String?)>
  var inputs: [String] {
    get { state.withLock { $0.inputs } }
    set { state.withLock { $0.inputs = newValue } }
  }

  init(failing input: String) { state = Mutex(([], input)) }

  func run(_ call: ProgramCall) async -> ProgramResult {
    let input = String(decoding: call.input, as: UTF8.self)
    return state.withLock { state in
      state.inputs.append(input)
      guard input == state.failing else { return ProgramResult(end: .exited(status: 0)) }
      state.failing = nil
      return ProgramResult(end: .timedOut)
    }
  }
}

private struct FixedClock: WallClock {
  var seconds: Int64 = 2000
  func now() -> Timestamp { Timestamp(seconds: seconds) }
}

/// The bodies are the lengths of the items' texts.
private struct TextLengths: HookRendering {
  func body(of contents: [HookContent], for hook: Hook, key: String, isDigest: Bool) -> HookBody {
    let lengths = contents.map { content in
      if case .item(let item) = content { String(item.contentText.utf8.count) } else { "-" }
    }
    return HookBody(bytes: Array(lengths.joined(separator: " ").utf8), contentType: "text/plain")
  }
}

private struct BodyOfKey: HookRendering {
  func body(of contents: [HookContent], for hook: Hook, key: String, isDigest: Bool) -> HookBody {
    HookBody(bytes: Array(key.utf8), contentType: "text/plain")
  }
}
