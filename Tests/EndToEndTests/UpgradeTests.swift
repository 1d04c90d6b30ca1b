import CSQLite
import Glibc
import TestSupport
import Testing

/// A newsd of the present layout, and one of the trial layout of debug builds, which is upgraded in portions.
@Suite(.blocking) struct `An upgrade by a later newsd` {
  private static let items = 10_000

  /// Number of kills: few by default; set `NEWSD_KILLS=50` for a thorough run.
  private static let kills = getenv("NEWSD_KILLS").flatMap { Int(String(cString: $0)) } ?? 6

  private let directory = TemporaryDirectory()
  private var former: Program { Program(in: directory) }
  private var later: Program { Program(in: directory, environment: ["NEWSD_TRIAL_LAYOUT": "1"]) }
  private var store: String { directory.path + "/newsd.db" }

  private func fill() throws {
    let lines = (0..<Self.items).map { "{\"id\":\"\($0)\",\"title\":\"Item \($0)\"}\n" }.joined()
    #expect(try former.run(["ingest", "--feed", "F"], input: lines).status == 0)
    #expect(try former.run("mark", "read", "1", "2", "3").status == 0)
  }

  private func count(_ program: Program) throws -> Program.Result {
    try program.run("search", "is:read OR is:unread", "--count")
  }

  @Test
  func
    `A kill leaves the former layout, which can be read, or the new one, and the next upgrade completes it`()
    throws
  {
    try fill()
    let base = directory.path + "/base.db"
    #expect(try former.run("backup", base).status == 0)
    func renew() throws {
      let script = "rm -rf \"$1\" \"$1\"-* \"$1\".*; cp \"$0\" \"$1\""
      #expect(try former.run(program: "sh", ["-c", script, base, store]).status == 0)
    }
    try renew()
    let start = ContinuousClock.now
    #expect(try later.run("upgrade").status == 0)
    let duration = Int((ContinuousClock.now - start) / .milliseconds(1))

    for round in 0..<Self.kills {
      try renew()
      // Spread the kills over the whole duration of an upgrade.
      let delay = duration * round / max(Self.kills - 1, 1)
      let running = try later.start(["upgrade"])
      pause(milliseconds: delay)
      running.send(signal: SIGKILL)
      _ = try running.finish()
      let place = "round \(round), after \(delay) ms"
      let kept = try count(former)
      let isUpgraded = kept.status == 74 && kept.errors.contains("it has layout 2")
      #expect(isUpgraded || kept.output == "\(Self.items)\n", "\(place): \(kept)")

      let again = try later.run("upgrade")
      #expect(again.status == 0, "\(place): \(again.errors)")
      let check = try later.run("check")
      #expect(check.status == 0, "\(place): \(check.output)\(check.errors)")
      #expect(try count(later).output == "\(Self.items)\n", "\(place)")
      #expect(try later.run("search", "is:read", "--count").output == "3\n", "\(place)")
      let backup = try former.run("--db", store + ".layout-1", "check")
      #expect(backup.status == 0, "\(place): \(backup.output)\(backup.errors)")
    }
    // The way back.
    #expect(try former.run("restore", store + ".layout-1").status == 0)
    #expect(try count(former).output == "\(Self.items)\n")
  }

  @Test
  func
    `Meanwhile 'run' answers monitors and the service manager, and commands that read name 'newsd upgrade'`()
    throws
  {
    try fill()
    let refused = try later.run("list")
    #expect(refused.status == 74 && refused.errors.contains("newsd upgrade"), "\(refused)")
    // The upgrade waits for a transaction of another program.
    var database: OpaquePointer?
    try #require(sqlite3_open(store, &database) == SQLITE_OK)
    defer { sqlite3_close(database) }
    try #require(sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)

    let notices = try NotifySocket(directory.path + "/notify")
    let socket = directory.path + "/http.sock"
    var service = later
    service.environment["NOTIFY_SOCKET"] = notices.path
    service.environment["NEWSD_WEB_LISTEN"] = "unix:" + socket
    let daemon = try service.start(["run"])
    #expect(notices.wait(for: "STATUS=upgrading the store"))
    #expect(notices.wait(for: "EXTEND_TIMEOUT_USEC=60000000"))
    #expect(daemon.wait { _ in access(socket, F_OK) == 0 }, "\(daemon.errors)")
    func ask(_ path: String) throws -> String {
      let words = ["-s", "-w", " %{http_code}", "--unix-socket", socket, "http://localhost" + path]
      return try former.run(program: "curl", words).output
    }
    #expect(try ask("/health") == "migrating\n 200")
    let ready = try ask("/ready")
    #expect(ready.hasSuffix(" 503") && ready.contains("is being upgraded"), "\(ready)")

    #expect(sqlite3_exec(database, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
    #expect(daemon.wait { $0.errors.contains("event=start") }, "\(daemon.errors)")
    #expect(daemon.errors.contains("rollback=\"newsd restore \(store).layout-1"), "\(daemon.errors)")
    #expect(try ask("/health") == "ok\n 200")
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 30).status == 0)
    #expect(try count(later).output == "\(Self.items)\n")
  }

  @Test func `With 'manual', only 'newsd upgrade' upgrades`() throws {
    try fill()
    var manual = later
    manual.environment["NEWSD_STORE_UPGRADE"] = "manual"
    for words in [["run"], ["mark", "read", "4"]] {
      let refused = try manual.run(words)
      #expect(refused.status == 74 && refused.errors.contains("newsd upgrade"), "\(words): \(refused)")
    }
    #expect(try count(former).output == "\(Self.items)\n")
    #expect(try manual.run("upgrade", "--check").output.contains("layout 1"))
    #expect(try manual.run("upgrade").status == 0)
    #expect(try manual.run("mark", "read", "4").status == 0)
  }
}
