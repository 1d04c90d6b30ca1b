import NewsCore
import NewsToolbox
import Synchronization
import Testing

@testable import Modules

@Suite struct `Commands for hooks` {
  /// The stored state of hooks; remembers the calls that change it.
  private final class Kept: HookKeepingWithoutHooks, PageHookKeeping {
    let states: [HookState]
    let added = Mutex<[PageHook]>([])
    let calls = Mutex<[String]>([])
    init(_ states: [HookState] = []) { self.states = states }
    func hookStates() async throws(StoreError) -> [HookState] { states }
    func register(_ hooks: [Hook], isComplete: Bool) async throws(StoreError) {
      calls.withLock { $0.append("register \(hooks.map(\.name)) \(isComplete)") }
    }
    func pageHooks() async throws(StoreError) -> [PageHook] { added.withLock { $0 } }
    func keep(_ hook: PageHook) async throws(StoreError) {
      added.withLock { hooks in
        hooks.removeAll { $0.name == hook.name }
        hooks.append(hook)
      }
    }
    func removePageHook(_ name: String) async throws(StoreError) {
      added.withLock { $0.removeAll { $0.name == name } }
    }
    func retryHook(_ name: String?, at now: Timestamp) async throws(StoreError) -> Int {
      calls.withLock { $0.append("retry \(name ?? "all") at \(now.seconds)") }
      return name == nil ? 0 : 2
    }
    func dropHook(_ name: String, onlyFailed: Bool) async throws(StoreError) -> Int {
      calls.withLock { $0.append("drop \(name)\(onlyFailed ? " failed" : "")") }
      return 1
    }
  }

  /// Remembers the words of each program and ends it as the test says.
  private final class Programs: ProgramRunning {
    let end: ProgramResult.End
    let words = Mutex<[[String]]>([])
    init(_ end: ProgramResult.End) { self.end = end }
    func run(_ call: ProgramCall) async -> ProgramResult {
      words.withLock { $0.append(call.words) }
      return ProgramResult(end: end)
    }
  }

  private struct Body: HookRendering {
    func body(of contents: [HookContent], for hook: Hook, key: String, isDigest: Bool) -> HookBody {
      HookBody(bytes: Array("\(contents.count)".utf8), contentType: "text/plain")
    }
  }

  private let hook = Hook(name: "tell", target: .exec(["/bin/tell", "--me"]))
  private let store = FakeStore(items: [.sample(1, "One")])

  private func interactor(_ kept: Kept, _ programs: Programs = Programs(.exited(status: 0)))
    -> HooksInteractor
  {
    let clock = FixedClock(time: .noon)
    var source = HookRegistry.Source()
    source.configured = HookSet(configured: [hook])
    source.presets = { [Self.preset] }
    let runner = HookRunner(
      store: kept,
      items: store,
      sender: HookSender(
        poster: nil,
        programs: programs,
        secrets: [:],
        mailer: "sendmail",
        reachesAnywhere: false,
        clock: clock
      ),
      renderer: Body(),
      memory: MemoryBudget(limit: 1 << 20),
      account: "",
      clock: clock,
      offset: { _ in 0 }
    )
    return HooksInteractor(
      registry: HookRegistry(source),
      store: kept,
      makeRunner: { runner },
      filters: .plain(store),
      clock: clock,
      times: TimeDisplay(now: .noon),
      refusal: { $0.contains("127.") ? "it is a loopback address" : nil }
    )
  }

  /// A preset for a server of one's own.
  private static let preset: HookPreset = {
    var hook = Hook(name: "links", target: .url("https://links.example/api"))
    hook.headers = [.init(name: "Authorization", value: "config:links")]
    hook.events = [.saved]
    hook.query = nil
    let secrets = ["links": "Token TOKEN"]
    return HookPreset(name: "links", summary: "Links: save", advice: "", hook: hook, secrets: secrets)
  }()

  private func added(_ name: String, _ address: String, token: String = "t0ken") -> PageHook {
    PageHook(name: name, preset: "links", values: ["address": address, "token": token])
  }

  @Test func `A hook of the page is stored, registered beside those of the configuration, and listed`()
    async throws
  {
    let kept = Kept()
    let made = try await emitted(interactor(kept), .add(added("mine", "https://a.example/links/")))
    #expect(made.failure == nil && made.notes == ["added the hook mine"])
    #expect(kept.calls.withLock { $0 } == ["register [\"tell\", \"mine\"] true"])
    let list = try await emitted(interactor(kept), .list)
    #expect(list.content?.records.map(\.source) == ["configuration", "page"])
    let line = try #require(list.lines().last)
    #expect(line.hasPrefix("mine  url https://a.example:443  ") && line.contains("from the page (links)"))
    #expect(!line.contains("t0ken"))
    // Without the secret it stays, but another server does not get it.
    var changed = added("mine", "https://a.example/other", token: "")
    _ = try await emitted(interactor(kept), .change(changed))
    #expect(kept.added.withLock { $0 } == [added("mine", "https://a.example/other")])
    changed.values["address"] = "https://b.example/"
    let refused = try await emitted(interactor(kept), .change(changed))
    #expect(refused.failure?.text.contains("token must be typed again") == true)
    _ = try await emitted(interactor(kept), .remove("mine"))
    #expect(kept.added.withLock { $0.isEmpty })
    #expect(kept.calls.withLock { Array($0.suffix(2)) } == ["register [\"tell\"] true", "drop mine"])
  }

  @Test func `A hook of the page that cannot work or takes another's name is refused, and nothing is stored`()
    async throws
  {
    let kept = Kept([HookState(name: "former", isActive: false)])
    func reason(_ hook: PageHook) async throws -> String? {
      try await emitted(interactor(kept), .add(hook)).failure?.text
    }
    let address = "https://a.example/"
    #expect(try await reason(added("Tell", address))?.contains("already") == true)
    #expect(try await reason(added("former", address))?.contains("already") == true)
    #expect(try await reason(added("a b", address))?.contains("letters, digits") == true)
    #expect(try await reason(added("a", "http://127.0.0.1/"))?.contains("a public address") == true)
    #expect(try await reason(added("a", "ftp://a.example/"))?.contains("http or https") == true)
    #expect(try await reason(added("a", address, token: ""))?.contains("token is missing") == true)
    var other = added("a", address)
    other.preset = "markdown"
    #expect(try await reason(other)?.contains("no hook for 'markdown'") == true)
    other = added("a", address)
    other.query = "colour:red"
    #expect(try await reason(other) != nil)
    for request in [
      HooksRequest.change(added("tell", address)), .remove("tell"), .change(added("x", address)),
    ] {
      #expect(try await emitted(interactor(kept), request).failure?.code == .notFound)
    }
    #expect(kept.added.withLock { $0.isEmpty } && kept.calls.withLock { $0.isEmpty })
  }

  @Test func `The page has at most 50 hooks`() async throws {
    let kept = Kept()
    func add(_ number: Int) async throws -> String? {
      let hook = added("h\(number)", "https://a.example/")
      return try await emitted(interactor(kept), .add(hook)).failure?.text
    }
    for number in 1...50 { #expect(try await add(number) == nil) }
    #expect(try await add(51) == "the page has 50 hooks already; remove one first")
    _ = try await emitted(interactor(kept), .remove("h7"))
    #expect(try await add(51) == nil)
  }

  @Test func `The list has the configured hooks first, with their conditions, then those of the store only`()
    async throws
  {
    var waiting = HookState(name: "tell")
    waiting.pending = 3
    waiting.failed = 1
    waiting.nextTry = .noon + 60
    waiting.lastError = "status 500"
    let removed = HookState(name: "old", isActive: false)
    let seen = try await emitted(interactor(Kept([removed, waiting])), .list)
    #expect(seen.content?.records.map(\.condition) == [.waiting, .removed])
    let lines = seen.lines()
    #expect(lines.first?.hasPrefix("tell  exec /bin/tell  3 pending  1 failed  0 delivered  ") == true)
    #expect(lines.last == "old  -  0 pending  0 failed  0 delivered  not in the configuration")
    #expect(seen.content?.lines.map { $0.note?.string } == ["last error: status 500", nil])
  }

  @Test func `A hook that the store does not know yet is new, and one whose pause is over is active`()
    async throws
  {
    let new = try await emitted(interactor(Kept()), .list)
    #expect(new.content?.records.map(\.condition) == [.new])
    var over = HookState(name: "tell")
    over.nextTry = .noon - 1
    let active = try await emitted(interactor(Kept([over])), .list)
    #expect(active.content?.records.map(\.condition) == [.active])
  }

  @Test func `A test runs the hook's program and reports the delivery or the failure`() async throws {
    let good = Programs(.exited(status: 0))
    let delivered = try await emitted(interactor(Kept(), good), .test("tell"))
    #expect(good.words.withLock { $0 } == [["/bin/tell", "--me"]])
    #expect(delivered.failure == nil)
    #expect(delivered.notes.first?.hasPrefix("tell: delivered a sample to /bin/tell (") == true)
    let bad = try await emitted(interactor(Kept(), Programs(.exited(status: 3))), .test("tell"))
    #expect(bad.failure?.code == .unreachable)
    #expect(bad.failure?.text.hasPrefix("tell: /bin/tell: ") == true)
  }

  @Test func `A hook that neither the configuration nor the store has is an error, and nothing is changed`()
    async throws
  {
    let kept = Kept()
    let programs = Programs(.exited(status: 0))
    let interactor = interactor(kept, programs)
    for seen in [
      try await emitted(interactor, .test("none")), try await emitted(interactor, .retry("none")),
      try await emitted(interactor, .drop("none", onlyFailed: false)),
    ] {
      #expect(seen.failure?.code == .notFound)
      #expect(seen.failure?.text.contains("'none'") == true)
    }
    #expect(kept.calls.withLock { $0.isEmpty })
    #expect(programs.words.withLock { $0.isEmpty })
  }

  @Test func `Retries and drops go to the store, and the note has their number`() async throws {
    let kept = Kept([HookState(name: "old", isActive: false)])
    let one = try await emitted(interactor(kept), .retry("old"))
    #expect(one.notes.first?.contains("2 deliveries") == true)
    let all = try await emitted(interactor(kept), .retry(nil))
    #expect(all.notes.count == 1)
    #expect(all.notes.first?.contains("0") == false)
    let dropped = try await emitted(interactor(kept), .drop("old", onlyFailed: true))
    #expect(dropped.notes.first?.contains("1 delivery") == true)
    let now = Timestamp.noon.seconds
    #expect(kept.calls.withLock { $0 } == ["retry old at \(now)", "retry all at \(now)", "drop old failed"])
  }
}

@Suite struct `Commands that carry subscriptions and items` {
  /// Writes the URL of each feed on a line.
  private struct Lists: SubscriptionListCoding {
    func decodeList(_ bytes: [UInt8]) throws(FeedParseError) -> SubscriptionList {
      SubscriptionList(feeds: [])
    }
    func encodeOPML(_ feeds: [Feed], searches: [SavedSearch], title: String) -> String {
      feeds.map { $0.url + "\n" }.joined()
    }
  }

  @Test(arguments: [
    (false, "https://a.example/feed\nhttps://b.example/feed\n", 1),
    (true, "https://anna:x@a.example/feed\nhttps://b.example/feed\n", 0),
  ])
  func `An exported list omits secrets and warns of it, unless they are wanted`(
    _ includesSecrets: Bool,
    _ text: String,
    _ warnings: Int
  ) async throws {
    let urls = ["https://anna:x@a.example/feed", "https://b.example/feed"]
    let feeds = urls.enumerated().map { index, url in
      Feed(id: Feed.ID(rawValue: Int64(index + 1)), url: url, title: "F\(index)", position: index + 1)
    }
    let transfer = SubscriptionTransfer(
      coder: Lists(),
      subscriptions: FakeStore(feeds: feeds),
      clock: FixedClock(time: .noon)
    )
    let seen = try await emitted(FeedsExportInteractor(transfer: transfer), includesSecrets)
    #expect(seen.bytes == text)
    #expect(seen.warnings.count == warnings)
    #expect(seen.warnings.allSatisfy { $0.contains("1 feed") })
  }

  private struct Lines: LineReading {
    private final class State: Sendable {
      let lines: Mutex<[String]>
      init(_ lines: [String]) { self.lines = Mutex(lines) }
    }
    private let state: State
    init(_ lines: [String]) { state = State(lines) }
    func nextLine() throws(FileError) -> [UInt8]? {
      state.lines.withLock { $0.isEmpty ? nil : Array($0.removeFirst().utf8) }
    }
    func peekLine() throws(FileError) -> [UInt8]? { state.lines.withLock { $0.first.map { Array($0.utf8) } } }
    var path: String? { nil }
    func rest(atMost limit: Int) throws(FileError) -> [UInt8] {
      state.lines.withLock { lines in
        defer { lines = [] }
        return Array(lines.joined(separator: "\n").utf8)
      }
    }
  }

  /// Knows no other program's files.
  private struct NoForeign: ForeignItemReading {
    func feeds(inDatabase path: String) throws(StoreError) -> [ImportedFeed] { [] }
    func feeds(inDatabaseBytes bytes: [UInt8], name: String) throws(StoreError) -> [ImportedFeed] { [] }
    func documents(in bytes: [UInt8]) throws(FileError) -> ForeignDocuments? { nil }
    func isChangeLog(_ line: [UInt8]) -> Bool { false }
    func feeds(inChanges bytes: [UInt8]) throws(StoreError) -> [ImportedFeed] { [] }
    func items(inTable bytes: [UInt8]) -> [ImportedItem]? { nil }
  }

  /// A store that reads all lines of an import and reports what the test says.
  private final class Importing: FeedKeeping, StoreExporting, ArrivalStoring, PartialFake {
    let report: ImportReport
    let seen = Mutex<[String]>([])
    private let store = FakeStore()
    init(_ report: ImportReport) { self.report = report }
    func feeds() async throws(StoreError) -> [Feed] { [] }
    func feeds(_ window: FeedWindow) async throws(StoreError) -> (feeds: [Feed], totals: FeedWindow.Totals) {
      try await store.feeds(window)
    }
    func folders() async throws(StoreError) -> [String] { [] }
    func feed(named name: String) async throws(StoreError) -> Feed { try await store.feed(named: name) }
    func exportAll(_ consume: @Sendable ([UInt8]) throws -> Void) async throws {}
    func sideRows() async throws(StoreError) -> SideRows { SideRows() }
    func importAll(_ trust: ImportTrust, _ line: @Sendable () throws -> [UInt8]?) async throws
      -> ImportReport
    {
      while let line = try line() { seen.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
      return report
    }
    func importFeeds(_ feeds: [ImportedFeed], at time: Timestamp) async throws(StoreError) -> ImportReport {
      report
    }
    func ingest(_ feeds: [ImportedFeed], at time: Timestamp) async throws(StoreError) -> ImportReport {
      report
    }
  }

  private func interactor(_ store: Importing, _ lines: [String]) -> ImportInteractor {
    let items = ItemImport(
      store: { store },
      foreign: NoForeign(),
      untrusted: .trusted,
      clock: FixedClock(time: .noon)
    )
    return ImportInteractor(items: items) { _ in Lines(lines) }
  }

  @Test
  func `An import notes what it left out or will not read, each time with the option that would allow it`()
    async throws
  {
    var report = ImportReport(feeds: 2, items: 1, unchanged: 4)
    report.untrusted = ["file:///feed.xml"]
    report.stripped = ["https://anna:x@a.example/feed"]
    report.rulesLeftOut = 1
    report.deliveriesLeftOut = 2
    let store = Importing(report)
    let lines = [#"{"type":"newsd-export","schema":1}"#, #"{"type":"feed"}"#]
    let seen = try await emitted(interactor(store, lines), (path: "all.jsonl", feed: nil, isTrusted: true))
    try #require(seen.failure == nil, "\(seen.failure.map { "\($0)" } ?? "")")
    #expect(store.seen.withLock { $0 } == lines)
    #expect(seen.progress.contains("importing 2 entries"))
    let notes = seen.notes
    #expect(notes.count == 5)
    #expect(notes.dropLast().allSatisfy { $0.contains("'newsd import --trust'") })
    #expect(notes[0].hasPrefix("file:///feed.xml: imported"))
    #expect(!notes[1].contains("anna"))
    #expect(
      notes[2].hasPrefix("1 rule not imported") && notes[3].hasPrefix("2 pending deliveries not imported")
    )
    #expect(notes[4] == "2 feeds, 1 item; 4 were stored before")
  }

  @Test func `A file of another kind is bad data, and the store is not opened`() async throws {
    let store = Importing(ImportReport())
    let seen = try await emitted(interactor(store, ["hello"]), (path: "x", feed: nil, isTrusted: false))
    #expect(seen.failure?.code == .badData)
    #expect(store.seen.withLock { $0.isEmpty })
  }
}

@Suite struct `Moves and settings of feeds` {
  /// Feeds in memory whose URLs and states change.
  private final class Feeds: FeedKeeping, ArrivalStoring, PartialFake {
    let all: Mutex<[Feed]>
    let kept = Mutex<[String: FeedSettings]>([:])
    private let store = FakeStore()
    init(_ feeds: [Feed]) { all = Mutex(feeds) }

    func feeds() async throws(StoreError) -> [Feed] { all.withLock { $0 } }
    func feeds(_ window: FeedWindow) async throws(StoreError) -> (feeds: [Feed], totals: FeedWindow.Totals) {
      try await store.feeds(window)
    }
    func folders() async throws(StoreError) -> [String] { [] }
    func feed(named name: String) async throws(StoreError) -> Feed { try find { $0.title == name } }
    func feed(_ id: Feed.ID) async throws(StoreError) -> Feed { try find { $0.id == id } }
    func find(_ matches: (Feed) -> Bool) throws(StoreError) -> Feed {
      guard let feed = all.withLock({ $0.first(where: matches) }) else {
        throw StoreError(code: .noSuchFeed, message: "there is no such feed")
      }
      return feed
    }

    func add(_ feed: NewFeed, at time: Timestamp) async throws(StoreError) -> Feed {
      try await store.add(feed, at: time)
    }
    func add(_ feeds: [NewFeed], at time: Timestamp) async throws(StoreError) -> (
      added: [Feed], duplicates: [NewFeed]
    ) { ([], feeds) }
    func remove(_ id: Feed.ID) async throws(StoreError) {}
    func rename(_ id: Feed.ID, to title: String) async throws(StoreError) {}
    func move(_ id: Feed.ID, to position: Int) async throws(StoreError) {}
    func arrange(_ ids: [Feed.ID]) async throws(StoreError) {}
    func move(_ id: Feed.ID, toFolder folder: String?) async throws(StoreError) {}
    func update(_ id: Feed.ID, settings: FeedSettings, general: ClosedRange<Int64>) async throws(StoreError) {
      all.withLock { feeds in
        for index in feeds.indices where feeds[index].id == id { feeds[index].settings = settings }
      }
    }
    func update(_ id: Feed.ID, url: String) async throws(StoreError) {
      all.withLock { feeds in
        for index in feeds.indices where feeds[index].id == id { feeds[index].url = url }
      }
    }

    func folderSettings(_ folder: String) async throws(StoreError) -> FeedSettings {
      kept.withLock { $0[folder] ?? FeedSettings() }
    }
    func keep(_ settings: FeedSettings, forFolder folder: String) async throws(StoreError) {
      kept.withLock { $0[folder] = settings }
    }

    func dueFeeds() async throws(StoreError) -> [DueFeed] { [] }
    func commit(_ records: [RefreshRecord]) async throws(StoreError) -> [RefreshChange] {
      all.withLock { feeds in
        for record in records {
          for index in feeds.indices where feeds[index].id == record.feedID {
            feeds[index].fetchState = record.state
          }
        }
      }
      return []
    }
    func probeWriting() async throws(StoreError) {}
    func recentTimes(of id: Feed.ID, limit: Int) async throws(StoreError) -> [Timestamp] { [] }
    func feedListVersion() async throws(StoreError) -> Int64? { nil }
  }

  private static func feed(_ id: Int64, _ title: String, _ change: (inout FetchState) -> Void = { _ in })
    -> Feed
  {
    var feed = Feed(
      id: Feed.ID(rawValue: id),
      url: "https://\(title).example/feed",
      title: title,
      position: Int(id)
    )
    change(&feed.fetchState)
    return feed
  }

  private let feeds = Feeds([
    feed(1, "still"),
    feed(2, "moving") {
      $0.movedTo = .init(url: "https://new.example/feed", firstSeen: .noon, polls: 1)
    },
  ])

  private var interactor: FeedsMovesInteractor {
    let clock = FixedClock(time: .noon)
    return FeedsMovesInteractor(
      feeds: feeds,
      editor: MoveEditor(subscriptions: feeds, store: feeds, clock: clock)
    )
  }

  @Test func `Only feeds that redirect are listed, with both URLs and the number of polls`() async throws {
    let seen = try await emitted(interactor, .list)
    let urls = "https://moving.example/feed\thttps://new.example/feed"
    #expect(seen.lines() == ["2\tmoving\t\(urls)\tfollowed, 1 poll\t\(Timestamp.noon.rfc3339)"])
  }

  @Test func `A move is applied, listed as adopted, and reverted`() async throws {
    let applied = try await emitted(interactor, .apply(feed: "moving"))
    #expect(applied.notes == ["moving: https://moving.example/feed → https://new.example/feed"])
    #expect(try feeds.find { $0.title == "moving" }.url == "https://new.example/feed")
    let listed = try await emitted(interactor, .list)
    #expect(listed.lines().first?.contains("\tadopted\t") == true)
    let reverted = try await emitted(interactor, .revert(feed: "moving"))
    #expect(reverted.notes == ["moving: https://new.example/feed → https://moving.example/feed"])
    #expect(try feeds.find { $0.title == "moving" }.url == "https://moving.example/feed")
  }

  @Test func `A feed that has not moved, or does not exist, is an error`() async throws {
    for seen in [
      try await emitted(interactor, .apply(feed: "still")),
      try await emitted(interactor, .revert(feed: "still")),
      try await emitted(interactor, .apply(feed: "none")),
    ] { #expect(seen.failure?.code == .notFound) }
    #expect(try feeds.find { $0.title == "moving" }.url == "https://moving.example/feed")
  }

  // MARK: Settings

  private var settings: FeedsSetInteractor {
    let moves = MoveEditor(subscriptions: feeds, store: feeds, clock: FixedClock(time: .noon))
    return FeedsSetInteractor(
      editor: FeedSettingsEditor(
        feeds: feeds,
        moves: moves,
        general: 900...86_400
      )
    )
  }

  private static func change(_ setting: FeedSetting, _ set: (inout FeedSettings) -> Void) -> FeedSettingChange
  {
    var value = FeedSettings()
    set(&value)
    return FeedSettingChange(setting, to: value)
  }

  @Test func `Settings are shown as they are typed, in their order, and headers without their values`()
    async throws
  {
    feeds.all.withLock { feeds in
      feeds[0].settings.timeout = 20
      feeds[0].settings.userAgent = "x"
      feeds[0].settings.headers = ["Authorization: secret"]
    }
    let seen = try await emitted(settings, .show(feed: "still"))
    let lines = seen.content?.lines.map(\.string) ?? []
    #expect(lines.sorted() == ["header=Authorization: …", "timeout=20s", "user-agent=x"])
    #expect(
      lines == FeedSetting.allCases.flatMap { one in lines.filter { $0.hasPrefix("\(one.rawValue)=") } }
    )
  }

  @Test func `A change applies to the feed; one to a folder applies to its feeds and to the folder`()
    async throws
  {
    feeds.all.withLock { $0[1].folder = "News/Ships" }
    let timeout = Self.change(.timeout) { $0.timeout = 30 }
    let seen = try await emitted(settings, .change(feed: "still", url: nil, [timeout]))
    #expect(seen.failure == nil)
    #expect(feeds.all.withLock { $0.map(\.settings.timeout) } == [30, nil])
    let folder = try await emitted(settings, .changeFolder("News", [timeout]))
    #expect(folder.failure == nil)
    #expect(feeds.all.withLock { $0.map(\.settings.timeout) } == [30, 30])
    #expect(feeds.kept.withLock { $0["News"]?.timeout } == 30)
  }

  @Test func `A folder without feeds is an error, and its settings are not kept`() async throws {
    let timeout = Self.change(.timeout) { $0.timeout = 30 }
    let seen = try await emitted(settings, .changeFolder("Nowhere", [timeout]))
    #expect(seen.failure?.code == .notFound)
    #expect(seen.failure?.text.contains("Nowhere") == true)
    #expect(feeds.kept.withLock { $0.isEmpty })
  }

  @Test func `A search is explained by its parts, and an invalid one is a usage error`() async throws {
    let store = FakeStore()
    let interactor = SearchExplanationInteractor(news: store, filters: .plain(store))
    let seen = try await emitted(interactor, SearchRoute(text: "harbour -ship"))
    #expect((seen.content?.lines.count ?? 0) >= 3)
    #expect(seen.content?.lines.first?.string == "all of")
    let invalid = try await emitted(interactor, SearchRoute(text: "/(/"))
    #expect(invalid.failure?.code == .usage)
  }
}
