import DIContainer
import Glibc
@testable import NewsCore
import Synchronization
import Testing

@testable import newsd

private struct FixedClock: WallClock {
  func now() -> Timestamp { Timestamp(seconds: 1_795_000_000) }
}

/// Collects the lines of a log.
private final class Lines: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }

  func log(_ level: Settings.Log.Level, _ format: Settings.Log.Format = .text, hasPriorities: Bool = false)
    -> DaemonLog
  {
    DaemonLog(format: format, level: level, clock: FixedClock(), hasPriorities: hasPriorities) { line in
      self.lines.withLock { $0.append(line) }
    }
  }
}

@Suite struct `The daemon's log` {
  private let lines = Lines()
  private let id = Feed.ID(rawValue: 7)

  private func finished(_ result: RefreshOutcome.Result) -> RefreshEvent {
    .finished(RefreshOutcome(feedID: id, feed: nil, result: result))
  }

  private func failure(_ message: String, _ code: RefreshFailure.Code = .status(500)) -> RefreshEvent {
    finished(.failed(RefreshFailure(code: code, message: message)))
  }

  @Test func `A level logs itself and more severe levels`() {
    let log = lines.log(.warning)
    for level in Settings.Log.Level.allCases { log.line(level, "event") }
    log.level = .error
    log.line(.warning, "late")
    #expect(lines.all.map { $0.contains("level=error") } == [true, false])
    #expect(lines.all.last?.contains("level=warning") == true)
  }

  @Test func `A line for the journal begins with its syslog priority`() {
    let log = lines.log(.debug, hasPriorities: true)
    for level in Settings.Log.Level.allCases { log.line(level, "event") }
    #expect(lines.all.map { $0.prefix(3) } == ["<3>", "<4>", "<6>", "<7>"])
  }

  @Test func `Bidi controls, line separators and C1 controls are escaped`() {
    for format in [Settings.Log.Format.text, .json] {
      lines.log(.info, format).line(.info, "note", [("text", .text("a\u{202E}b\u{2028}c\u{9B}d\u{2066}é"))])
      #expect(lines.all.last?.contains(#""a\u202eb\u2028c\u009bd\u2066é""#) == true)
    }
  }

  @Test func `Unchanged polls are counted in the summary and not logged one by one`() {
    let refreshes = RefreshLog(lines.log(.info))
    for _ in 0..<5 { refreshes.take(finished(.unchanged)) }
    #expect(lines.all.isEmpty)
    let status = refreshes.summarize(seconds: 60)
    #expect(lines.all.count == 1)
    #expect(lines.all.first?.contains("event=polls seconds=60 unchanged=5 updated=0 failed=0") == true)
    #expect(status.contains("5 polls, 0 failed"))
    _ = refreshes.summarize(seconds: 60)
    #expect(lines.all.count == 1)
  }

  @Test func `Of equal failures of a feed, only the 1st, 10th, 100th and so on are logged`() {
    let refreshes = RefreshLog(lines.log(.info))
    for n in 1...100 { refreshes.take(failure("no answer after \(n) s")) }
    #expect(lines.all.count == 3)
    #expect(lines.all.last?.contains("times=100") == true)
    refreshes.take(failure("something else"))
    #expect(lines.all.count == 4)
    refreshes.take(finished(.unchanged))
    #expect(lines.all.last?.contains("after_failures=1") == true)
    refreshes.take(failure("something else"))
    #expect(lines.all.count == 6)
  }

  @Test func `A refresh is counted before it is logged`() {
    let counts = Mutex(0)
    let seen = Mutex<[Int]>([])
    let log = DaemonLog(format: .text, level: .debug, clock: FixedClock()) { _ in
      seen.withLock { $0.append(counts.withLock { $0 }) }
    }
    let refreshes = RefreshLog(log) { _ in counts.withLock { $0 += 1 } }
    refreshes.take(finished(.unchanged))
    refreshes.takeFromPage(finished(.unchanged))
    #expect(seen.withLock { $0 } == [1, 2])
  }

  @Test func `A repeated notice is logged once`() {
    let refreshes = RefreshLog(lines.log(.info))
    for _ in 0..<3 {
      refreshes.take(
        .finished(RefreshOutcome(feedID: id, feed: nil, result: .unchanged, notices: ["not verified"]))
      )
    }
    #expect(lines.all.count == 1)
    #expect(lines.all.first?.contains("event=notice") == true)
  }

  @Test func `A feed removed during its refresh is not a warning`() {
    let refreshes = RefreshLog(lines.log(.info))
    refreshes.take(failure("there is no feed 7", .store(.noSuchFeed)))
    #expect(lines.all.isEmpty)
  }

  @Test func `A full disk gives one line, whatever the number of failed feeds`() {
    let refreshes = RefreshLog(lines.log(.info))
    refreshes.take(.storeFailed(StoreError(code: .full, message: "full")))
    for _ in 0..<20 { refreshes.take(failure("full", .store(.full))) }
    #expect(lines.all.count == 1)
    #expect(refreshes.summarize(seconds: 60).contains("paused: full"))
    refreshes.take(.storeRecovered)
    #expect(lines.all.last?.contains("event=store-up") == true)
  }
}

@Suite struct `The log's writer` {
  @Test func `A stalled reader loses lines, which are counted, and blocks no caller`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let writer = LogWriter(descriptor: ends[1], capacity: 4096) { "dropped \($0)" }
    try #require(writer.start())
    // Write far more than the pipe and the queue hold; the calls return although the pipe is not read.
    let count = 10_000
    for n in 0..<count { writer.line("line \(n)") }
    writer.close()
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while !writer.isIdle {
      var input = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      guard poll(&input, 1, 50) > 0 else { continue }
      text += buffer[..<max(0, read(ends[0], &buffer, buffer.count))]
    }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    var rest = read(ends[0], &buffer, buffer.count)
    while rest > 0 {
      text += buffer[..<rest]
      rest = read(ends[0], &buffer, buffer.count)
    }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    let dropped = lines.compactMap { $0.hasPrefix("dropped ") ? Int($0.dropFirst(8)) : nil }.reduce(0, +)
    let written = lines.filter { $0.hasPrefix("line ") }
    #expect(dropped > 0)
    #expect(written.count + dropped == count)
    #expect(written.first == "line 0")
  }
}

@Suite struct `The watchdog` {
  @Test func `A component that does not answer is reported and not asked again; an error is an answer`()
    async throws
  {
    let gate = AsyncStream.makeStream(of: Void.self)
    let asked = Mutex(0)
    let watchdog = Watchdog([
      .init("store") {},
      .init("scheduler") {
        asked.withLock { $0 += 1 }
        for await _ in gate.stream { return }
      },
      .init("network") { throw CancellationError() },
    ])
    #expect(watchdog.problems.count == 3)
    watchdog.ask()
    while watchdog.problems != ["scheduler"] { await Task.yield() }
    watchdog.ask()
    watchdog.ask()
    gate.continuation.yield()
    while watchdog.problems.contains("scheduler") { await Task.yield() }
    #expect(asked.withLock { $0 } == 1)
  }
}

@Suite struct `Reloading` {
  @Test func `Changed keys that need a restart are listed`() {
    let start = Settings()
    var now = start
    now.poll.minimumInterval = 60
    now.log.level = .debug
    #expect(now.keysThatNeedRestart(since: start).isEmpty)
    now.network.concurrency = 3
    now.log.format = .json
    now.store = "/elsewhere"
    now.nodeName = "other"
    #expect(
      now.keysThatNeedRestart(since: start) == ["store", "node.name", "network.concurrency", "log.format"]
    )
  }
}
