import NewsCore
import NewsToolbox
import Synchronization
import Testing

@testable import Modules

/// A store file whose maintenance reports one step of progress, or fails.
private struct StoreFile: StoreMaintaining, PartialFake {
  var failure: StoreError?
  var kept: String?

  func backup(to path: String, progress: @escaping StoreProgressHandler) async throws(StoreError) {
    progress(StoreProgress(done: 3, total: 8))
    if let failure { throw failure }
  }

  func compact(progress: @escaping StoreProgressHandler) async throws(StoreError) -> (
    before: Int64, after: Int64
  ) {
    progress(StoreProgress(done: 1, total: 2))
    if let failure { throw failure }
    return (before: 10_240, after: 3_071)
  }

  func restore(
    from path: String,
    into account: RestoredAccount?,
    progress: @escaping StoreProgressHandler
  ) async throws(StoreError) -> StoreRestore {
    progress(StoreProgress(done: 5, total: 8))
    if let failure { throw failure }
    return StoreRestore(items: 1, kept: kept)
  }
}

@Suite struct `Commands that maintain the store` {
  private static let full = StoreError(code: .full, message: "the disk is full")

  @Test func `A backup reports the copied pages, then the path of the copy`() async throws {
    let seen = try await emitted(BackupInteractor(store: StoreFile()), "/tmp/copy.db")
    #expect(seen.progress == ["copying", "copying 3/8 pages"])
    #expect(seen.notes == ["copied to /tmp/copy.db"])
    #expect(seen.all.count == 3)
  }

  @Test func `A backup that fails ends with the store's error and its exit status`() async throws {
    let seen = try await emitted(BackupInteractor(store: StoreFile(failure: Self.full)), "/tmp/copy.db")
    #expect(seen.failure == UserMessage(Self.full))
    #expect(seen.notes.isEmpty)
  }

  @Test func `Compacting reports its steps, then the sizes in KiB, rounded down`() async throws {
    let seen = try await emitted(CompactInteractor(store: StoreFile()), "news.db")
    #expect(seen.progress == ["compacting", "compacting 1/2 steps"])
    #expect(seen.notes == ["news.db: 10 KiB before, 2 KiB now"])
  }

  @Test(arguments: [
    (nil, ["restored news.db from old.db: 1 item"]),
    (
      "news.db.damaged",
      ["the former file is kept as news.db.damaged", "restored news.db from old.db: 1 item"]
    ),
  ])
  func `A restore says first where the former file is kept`(_ kept: String?, _ notes: [String]) async throws {
    let interactor = RestoreInteractor(store: StoreFile(kept: kept))
    let seen = try await emitted(interactor, (store: "news.db", backup: "old.db"))
    #expect(seen.progress == ["restoring", "restoring 5/8 pages"])
    #expect(seen.notes == notes)
  }

  @Test func `A backup that is no intact store is refused, and the restore says so`() async throws {
    let error = StoreError(code: .corrupt, message: "old.db is damaged")
    let interactor = RestoreInteractor(store: StoreFile(failure: error))
    let seen = try await emitted(interactor, (store: "news.db", backup: "old.db"))
    #expect(seen.failure == UserMessage(error))
  }

  private struct Exporting: StoreExporting {
    func exportAll(_ consume: @Sendable ([UInt8]) throws -> Void) async throws {
      try consume(Array("one\ntwo\n".utf8))
      try consume(Array("three\n".utf8))
    }

    func importAll(_ trust: ImportTrust, _ line: @Sendable () throws -> [UInt8]?) async throws
      -> ImportReport
    {
      ImportReport()
    }

    func sideRows() async throws(StoreError) -> SideRows { SideRows() }
  }

  @Test func `An export passes on the bytes in order and counts the lines`() async throws {
    let seen = try await emitted(ExportInteractor(store: Exporting()), ())
    #expect(seen.progress == ["exporting 2 lines", "exporting 3 lines"])
    #expect(seen.bytes == "one\ntwo\nthree\n")
  }

  @Test func `An export ends at once when its output is closed`() async throws {
    let count = Mutex(0)
    await #expect(throws: Closed.self) {
      try await ExportInteractor(store: Exporting()).run(()) { _ in
        count.withLock { $0 += 1 }
        throw Closed()
      }
    }
    #expect(count.withLock { $0 } == 1)
  }

  private struct Closed: Error {}

  private struct Listing: NodeListing {
    var found: [StoreNode]
    func nodes() async throws(StoreError) -> [StoreNode] { found }
  }

  @Test func `Each node has a line with its version, feeds and last heartbeat`() async throws {
    let node = StoreNode(name: "alpha", version: "1.2", since: .noon - 60, lastBeat: .noon, feeds: 1)
    let times = TimeDisplay(now: .noon)
    let seen = try await emitted(NodesInteractor(store: Listing(found: [node]), times: times), ())
    #expect(
      seen.lines() == [
        "alpha  1.2  since \(times.dateAndTime(.noon - 60))  1 feed in progress  "
          + "last heartbeat \(times.dateAndTime(.noon))"
      ]
    )
    #expect(seen.notes.isEmpty)
  }

  @Test func `Without nodes a note says so; a store in a file is a usage error`() async throws {
    let times = TimeDisplay(now: .noon)
    let none = try await emitted(NodesInteractor(store: Listing(found: []), times: times), ())
    #expect(none.lines().isEmpty)
    #expect(none.notes.count == 1)
    let file = try await emitted(NodesInteractor(store: nil, times: times), ())
    #expect(file.failure?.code == .usage)
    #expect(file.failure?.text.contains("PostgreSQL") == true)
  }

  private struct Measuring: StoreFileMeasuring {
    var daemon: DaemonPresence? = DaemonPresence(pid: 7, started: .noon - 60)
    func figures() async -> StoreFigures? {
      StoreFigures(
        storeBytes: 3 << 20,
        logBytes: 0,
        unusedBytes: 1 << 19,
        diskFree: 30 << 30,
        diskSize: 100 << 30
      )
    }
    func runningDaemon() -> DaemonPresence? { daemon }
  }

  private struct Sound: FeedKeeping, HookKeepingWithoutHooks, PartialFake {
    private let store = FakeStore()
    func feeds() async throws(StoreError) -> [Feed] { [] }
    func feeds(_ window: FeedWindow) async throws(StoreError) -> (feeds: [Feed], totals: FeedWindow.Totals) {
      try await store.feeds(window)
    }
    func folders() async throws(StoreError) -> [String] { [] }
    func feed(named name: String) async throws(StoreError) -> Feed { try await store.feed(named: name) }
  }

  @Test func `The health of a store with a daemon is OK, with process, polls and sizes`() async throws {
    let interactor = HealthInteractor(
      store: .success(Sound()),
      measure: Measuring(),
      clock: FixedClock(time: .noon)
    )
    let seen = try await emitted(interactor, true)
    let text = seen.lines().joined(separator: "\n")
    #expect(text.hasPrefix("newsd OK\ndaemon   process 7 since \((Timestamp.noon - 60).rfc3339)\n"))
    #expect(text.contains("\npolls    0 due, 0 late, by up to 0 s\n"))
    #expect(
      text.hasSuffix("store    3.0 MiB, 0.5 MiB of it unused, write-ahead log 0.0 MiB, 30 % of the disk free")
    )
    #expect(seen.content?.answer == .done)
  }

  /// A store that does not answer.
  private struct Held: FeedKeeping, HookKeepingWithoutHooks, PartialFake {
    func feeds() async throws(StoreError) -> [Feed] {
      try? await Task.sleep(for: .seconds(600))
      return []
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `A store that does not answer in time is critical`() async throws {
    let interactor = HealthInteractor(
      store: .success(Held()),
      measure: Measuring(),
      clock: FixedClock(time: .noon),
      patience: .milliseconds(20)
    )
    let seen = try await emitted(interactor, true)
    #expect(seen.lines().first?.hasPrefix("newsd CRITICAL: the store has not answered in time") == true)
    #expect(seen.content?.answer == .critical)
  }

  @Test(.timeLimit(.minutes(1)))
  func `Several accounts are asked at a time, and listed in their order`() async throws {
    let accounts = (1...20).map { Account(name: "a\($0)", store: "a\($0).db") }
    let counts = Mutex((begun: 0, running: 0, most: 0))
    let module = EachAccountInteractor.records(of: accounts, atOnce: 8) {
      (account, emit: @escaping Emit<RecordList<Int>>) in
      counts.withLock { counts in
        counts.begun += 1
        counts.running += 1
        counts.most = max(counts.most, counts.running)
      }
      // The first one ends last.
      let needed = account == accounts[0] ? accounts.count : 8
      while counts.withLock({ $0.begun }) < needed { await Task.yield() }
      counts.withLock { $0.running -= 1 }
      try emit(.ready(RecordList([RecordLine(1, DisplayText(line: "OK"))])))
    }
    let seen = try await emitted(module, ())
    #expect(seen.lines() == accounts.map { "\($0.name): OK" })
    #expect(counts.withLock { $0.most } == 8)
  }

  @Test(arguments: [true, false])
  func `A store that cannot be read is critical; only a check for monitors exits with that status`(
    _ answersVerdict: Bool
  ) async throws {
    let interactor = HealthInteractor(
      store: .failure(StoreError(code: .corrupt, message: "news.db is damaged")),
      measure: Measuring(daemon: nil),
      clock: FixedClock(time: .noon)
    )
    let seen = try await emitted(interactor, answersVerdict)
    let text = seen.lines().joined(separator: "\n")
    #expect(text.hasPrefix("newsd CRITICAL: "))
    #expect(text.contains("news.db is damaged"))
    #expect(text.contains("\ndaemon   none\n"))
    #expect(seen.content?.answer == (answersVerdict ? .critical : .done))
  }
}

/// A store without hooks, for tests of modules that only read them.
protocol HookKeepingWithoutHooks: HookKeeping {}

extension HookKeepingWithoutHooks {
  func register(_ hooks: [Hook], isComplete: Bool) async throws(StoreError) {}
  func takeDeliveries(
    of hook: String,
    at now: Timestamp,
    before boundary: Timestamp?,
    after last: HookDelivery?,
    limit: Int,
    hold: Int64
  ) async throws(StoreError) -> [HookDelivery] { [] }
  func release(_ deliveries: [HookDelivery]) async throws(StoreError) {}
  func settle(_ results: [(delivery: HookDelivery, settlement: HookSettlement)], at now: Timestamp)
    async throws(StoreError)
  {}
  func trimOutbox(of hook: String, at now: Timestamp, byAge: Bool) async throws(StoreError) -> Int { 0 }
  func hookStates() async throws(StoreError) -> [HookState] { [] }
  func failedEntries() async throws(StoreError) -> [FailedHookEntry] { [] }
  func retryHook(_ name: String?, at now: Timestamp) async throws(StoreError) -> Int { 0 }
  func dropHook(_ name: String, onlyFailed: Bool) async throws(StoreError) -> Int { 0 }
}

@Suite struct `Copying a store` {
  /// A store of lines.
  private final class Carried: StoreExporting {
    let lines: Mutex<[String]>
    init(_ lines: [String]) { self.lines = Mutex(lines) }

    func exportAll(_ consume: @Sendable ([UInt8]) throws -> Void) async throws {
      let all = lines.withLock { $0 }
      // Several lines at a time, as stores do.
      try consume(all.prefix(2).flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] })
      try consume(all.dropFirst(2).flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] })
    }

    func importAll(_ trust: ImportTrust, _ line: @Sendable () throws -> [UInt8]?) async throws
      -> ImportReport
    {
      guard case .moved = trust else { throw StoreError(code: .other, message: "a copy is a move") }
      guard lines.withLock({ $0.isEmpty }) else {
        throw StoreError(code: .unreadable, message: "the store is not empty")
      }
      while let line = try line() { lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
      return ImportReport(feeds: 1, items: 250)
    }

    func sideRows() async throws(StoreError) -> SideRows { SideRows() }
  }

  private let lines = (1...251).map { "line \($0)" }

  @Test func `All lines are read, then stored; the report names the target`() async throws {
    let target = Carried([])
    let seen = try await emitted(CopyInteractor(from: Carried(lines), to: target), "postgresql://db.example/")
    #expect(target.lines.withLock { $0 } == lines)
    #expect(
      seen.progress == [
        "reading 2 lines", "reading 251 lines", "storing 100/251 lines", "storing 200/251 lines",
      ]
    )
    #expect(seen.notes == ["copied 1 feed and 250 items to postgresql://db.example/"])
  }

  @Test func `A target that is not empty stays as it is, and its error is reported`() async throws {
    let target = Carried(["own"])
    let seen = try await emitted(CopyInteractor(from: Carried(lines), to: target), "x")
    #expect(seen.failure?.text == "the store is not empty")
    #expect(target.lines.withLock { $0 } == ["own"])
  }
}
