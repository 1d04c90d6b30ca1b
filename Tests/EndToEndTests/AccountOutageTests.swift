import CSQLite
import FoundationEssentials
import Glibc
import TestServer
import TestSupport
import Testing

/// What clients learn while newsd cannot open an account, and how the account comes back.
@Suite(.blocking) struct `An account whose store is closed` {
  private let rig = AccountRig()

  private func newsd(_ environment: [String: String] = [:]) -> Program {
    rig.newsd(["NEWSD_WEB_LISTEN": "127.0.0.1:0"].merging(environment) { $1 })
  }

  /// `files` is the limit on open files.
  private func start(_ environment: [String: String] = [:], files: Int? = nil) throws
    -> (RunningProgram, AccountClient)
  {
    var program = newsd(environment)
    var words = ["run"]
    if let files {
      program.executable = "/bin/sh"
      words = ["-c", "ulimit -n \(files); exec \"$0\" run", Program.path]
    }
    let daemon = try program.start(words)
    #expect(daemon.wait { $0.errors.contains("event=start") }, "\(daemon.errors)")
    let line = try #require(daemon.errors.split(separator: "\n").first { $0.contains("event=web listen=") })
    let port = try #require(line.split(separator: " ").last { $0.hasPrefix("port=") }).dropFirst(5)
    return (daemon, AccountClient(port: try #require(UInt16(port))))
  }

  private func serves(_ account: String, _ daemon: RunningProgram, times: Int = 1) -> Bool {
    daemon.wait {
      $0.errors.split(separator: "\n").count { $0.contains("event=account account=\(account) store=") }
        == times
    }
  }

  private func stop(_ daemon: RunningProgram) throws {
    daemon.send(signal: SIGTERM)
    let result = try daemon.finish(seconds: 30)
    #expect(result.status == 0, "\(result.errors)")
  }

  private func setPassword(_ account: String) throws {
    let set = try newsd().run(["--account", account, "web", "password"], input: "\(account) has one\n")
    #expect(set.status == 0, "\(set.errors)")
  }

  private func app(_ account: String) throws -> String {
    String(try newsd().run("--account", account, "web", "apps", "add", "app").output.dropLast())
  }

  private func basic(_ name: String, _ password: String) -> [String: String] {
    ["Authorization": "Basic " + Data("\(name):\(password)".utf8).base64EncodedString()]
  }

  private func failures(_ client: AccountClient) throws -> Substring? {
    try client.send("GET", "/metrics").body.after("\nnewsd_login_failures_total ")?.before("\n")
  }

  /// Replaces the store of an account by a file that is none.
  private func damage(_ account: String) throws {
    let file = rig.directory.write("this is not a database at all", to: "garbage")
    chmod(file, 0o600)
    #expect(rename(file, rig.folder + "/\(account).db") == 0)
  }

  /// Writes to the store of an account, so that newsd cannot open it.
  private func hold(_ account: String, fromReaders: Bool = false) throws -> OpaquePointer? {
    var database: OpaquePointer?
    try #require(sqlite3_open(rig.folder + "/\(account).db", &database) == SQLITE_OK)
    if fromReaders {
      #expect(sqlite3_exec(database, "PRAGMA locking_mode = EXCLUSIVE", nil, nil, nil) == SQLITE_OK)
    }
    #expect(sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    return database
  }

  /// Sends requests with the password of an account in all forms; returns the statuses.
  private func statuses(_ client: AccountClient, _ name: String, _ password: String) throws -> [Int] {
    let sum = try newsd().run(program: "sh", ["-c", "printf %s '\(name):\(password)' | md5sum"])
    let key = String(sum.output.prefix(32))
    let answers = try [
      client.send("GET", "/api/items?query=", basic(name, password)),
      client.send("GET", "/v1/me", ["X-Auth-Token": password]),
      client.send("GET", "/q/x", ["Authorization": "Bearer \(password)"]),
      client.send("POST", "/fever/?api", body: "api_key=\(key)&items"),
      client.send("POST", "/accounts/ClientLogin", body: "Email=\(name)&Passwd=\(password)"),
    ]
    for answer in answers where answer.status == 503 {
      #expect(answer.head.contains("Retry-After: 10"), "\(answer.text)")
    }
    return answers.map(\.status)
  }

  @Test func `Whoever has one of its secrets is asked to try again, and counts as no wrong password`() throws
  {
    try rig.add("anna", "bob")
    for name in ["anna", "bob"] { try setPassword(name) }
    let password = try app("anna")
    let (daemon, client) = try start()
    #expect(serves("anna", daemon) && serves("bob", daemon), "\(daemon.errors)")
    var anna = client
    #expect(try anna.logIn("anna", "anna+has+one") == 303)
    #expect(try anna.send("GET", "/unread").status == 200)
    #expect(try client.send("GET", "/v1/me", ["X-Auth-Token": password]).status == 200)
    let copy = rig.directory.path + "/copy.db"
    #expect(try newsd().run("--account", "anna", "backup", copy).status == 0)
    try damage("anna")
    #expect(daemon.wait { $0.errors.contains("event=account account=anna error=") }, "\(daemon.errors)")

    #expect(try statuses(client, "anna", password) == [503, 503, 503, 503, 503])
    #expect(try anna.send("GET", "/unread").status == 503)
    var browser = client
    #expect(try browser.logIn("anna", "anna+has+one") == 503)
    #expect(try failures(client) == "0")
    let metrics = try client.send("GET", "/metrics").body
    #expect(metrics.contains("\nnewsd_health{account=\"anna\"} 2\n"), "\(metrics)")
    #expect(metrics.contains("\nnewsd_health{account=\"bob\"} 0\n"), "\(metrics)")
    // Others are served, and learn nothing of her.
    #expect(try client.send("GET", "/unread", ["Cookie": "\(anna.cookie ?? "")0"]).status == 303)
    #expect(try client.send("GET", "/v1/me", ["X-Auth-Token": "\(password)x"]).status == 401)
    for name in ["anna", "nobody"] { #expect(try browser.logIn(name, "wrong") == 403) }
    #expect(try browser.logIn("bob", "bob+has+one") == 303)
    #expect(try failures(client) == "2")

    #expect(rename(copy, rig.folder + "/anna.db") == 0)
    #expect(serves("anna", daemon, times: 2), "\(daemon.errors)")
    #expect(try statuses(client, "anna", password) == [200, 200, 404, 200, 200])
    #expect(try anna.send("GET", "/unread").status == 200)
    try stop(daemon)
  }

  @Test func `Until each account was open once, nobody with an unknown secret is refused`() throws {
    try rig.add("anna", "bob")
    for name in ["anna", "bob"] { try setPassword(name) }
    let password = try app("anna")
    var writer = try hold("anna", fromReaders: true)
    defer { sqlite3_close(writer) }
    let (daemon, client) = try start()
    #expect(serves("bob", daemon), "\(daemon.errors)")
    #expect(try statuses(client, "anna", password) == [503, 503, 503, 503, 503])
    #expect(try client.send("GET", "/v1/me").status == 401)
    var answers: Set<String> = []
    for name in ["anna", "bob", "nobody"] {
      let answer = try client.send("POST", "/login", body: "name=\(name)&password=wrong")
      #expect(answer.status == 503)
      answers.insert(answer.body)
      let page = try client.send("GET", "/unread", ["Cookie": "newsd=\(name).0"])
      #expect(page.status == 503)
      answers.insert(page.body)
    }
    #expect(answers.count == 2, "\(answers)")
    #expect(try client.send("GET", "/login", ["Cookie": "newsd=anna.0"]).status == 200)
    #expect(try client.send("GET", "/unread").status == 303)
    var bob = client
    #expect(try bob.logIn("bob", "bob+has+one") == 303)
    #expect(try bob.send("GET", "/unread").status == 200)
    // Only the wrong password of the account that could check it.
    #expect(try failures(client) == "1")
    // With her, all are known.
    #expect(sqlite3_close(writer) == SQLITE_OK)
    writer = nil
    #expect(serves("anna", daemon), "\(daemon.errors)")
    #expect(try client.send("GET", "/v1/me", ["X-Auth-Token": password]).status == 200)
    #expect(try client.send("GET", "/v1/me", ["X-Auth-Token": "\(password)x"]).status == 401)
    try stop(daemon)
  }

  @Test func `A store that was damaged before newsd began does not keep unknown secrets from being refused`()
    throws
  {
    try rig.add("anna", "bob")
    try setPassword("bob")
    try damage("anna")
    let (daemon, client) = try start()
    #expect(serves("bob", daemon), "\(daemon.errors)")
    #expect(daemon.wait { $0.errors.contains("event=account account=anna error=") }, "\(daemon.errors)")
    for _ in 0..<100 where try client.send("GET", "/v1/me", ["X-Auth-Token": "wrong"]).status == 503 {
      usleep(100_000)
    }
    #expect(try client.send("GET", "/v1/me", ["X-Auth-Token": "wrong"]).status == 401)
    #expect(try client.send("POST", "/login", body: "name=anna&password=wrong").status == 403)
    #expect(try client.send("GET", "/unread", ["Cookie": "newsd=anna.0"]).status == 303)
    var bob = client
    #expect(try bob.logIn("bob", "bob+has+one") == 303)
    try stop(daemon)
  }

  @Test func `While the folder of accounts is away, nobody is refused`() throws {
    try rig.add("anna")
    let password = try app("anna")
    let (daemon, client) = try start()
    #expect(serves("anna", daemon), "\(daemon.errors)")
    #expect(try client.send("GET", "/v1/me", ["X-Auth-Token": password]).status == 200)
    let away = rig.directory.path + "/away"
    #expect(rename(rig.folder, away) == 0)
    #expect(daemon.wait { $0.errors.contains("event=account error=") }, "\(daemon.errors)")
    #expect(try client.send("GET", "/v1/me", ["X-Auth-Token": "\(password)x"]).status == 503)
    #expect(daemon.wait { $0.errors.contains("event=account account=anna error=") }, "\(daemon.errors)")
    // As if a disk is not mounted.
    #expect(mkdir(rig.folder, 0o700) == 0)
    #expect(daemon.wait { $0.errors.contains("is empty; mount the disk") }, "\(daemon.errors)")
    #expect(try statuses(client, "anna", password) == [503, 503, 503, 503, 503])
    #expect(try statuses(client, "anna", password + "x") == [503, 503, 503, 503, 503])
    for _ in 0..<200 where try client.send("GET", "/ready").status == 200 { usleep(100_000) }
    let ready = try client.send("GET", "/ready")
    #expect(ready.status == 503 && ready.body.contains("{\"part\":\"accounts\""), "\(ready.text)")
    #expect(try client.send("GET", "/health").status == 200)
    let metrics = try client.send("GET", "/metrics").body
    #expect(metrics.contains("\nnewsd_health{account=\"anna\"} 2\n"), "\(metrics)")
    #expect(rmdir(rig.folder) == 0)
    let health = try newsd().run("status", "--health")
    let reason = "newsd CRITICAL: there is no folder \(rig.folder); if its disk is mounted, "
    #expect(health.status == 2 && health.lines.first?.hasPrefix(reason) == true, "\(health.output)")
    let prometheus = try newsd().run("status", "--format", "prometheus")
    #expect(prometheus.status == 0 && prometheus.output.contains("\nnewsd_health{account=\"\"} 2\n"))
    #expect(rename(away, rig.folder) == 0)
    #expect(serves("anna", daemon, times: 2), "\(daemon.errors)")
    #expect(try statuses(client, "anna", password) == [200, 200, 404, 200, 200])
    #expect(try client.send("GET", "/v1/me", ["X-Auth-Token": "\(password)x"]).status == 401)
    try stop(daemon)
  }

  @Test(arguments: [false, true])
  func `While there is no account, nobody is refused, and the first one is noticed`(_ hasFolder: Bool) throws
  {
    // As if a disk is not mounted.
    if hasFolder { #expect(mkdir(rig.folder, 0o700) == 0) }
    let (daemon, client) = try start()
    #expect(daemon.wait { $0.errors.contains("event=account error=") }, "\(daemon.errors)")
    #expect(access(rig.folder, F_OK) == (hasFolder ? 0 : -1))
    #expect(try statuses(client, "anna", "some password") == [503, 503, 503, 503, 503])
    // At first, the accounts have not been read yet.
    let problem = hasFolder ? "there is no account in \(rig.folder)" : "{\"part\":\"accounts\""
    for _ in 0..<200 where try !client.send("GET", "/ready").body.contains(problem) { usleep(100_000) }
    let ready = try client.send("GET", "/ready")
    #expect(ready.status == 503 && ready.body.contains(problem), "\(ready.text)")

    try rig.add("anna")
    let password = try app("anna")
    #expect(serves("anna", daemon), "\(daemon.errors)")
    #expect(try statuses(client, "anna", password) == [200, 200, 404, 200, 200])
    #expect(try client.send("GET", "/v1/me", ["X-Auth-Token": "\(password)x"]).status == 401)
    for _ in 0..<200 where try client.send("GET", "/ready").status == 503 { usleep(100_000) }
    #expect(try client.send("GET", "/ready").status == 200)
    let second = try newsd().run("run")
    #expect(second.status == 73 && second.errors.contains("is already active"), "\(second.errors)")
    try stop(daemon)
  }

  @Test func `newsd is not ready while none of its accounts is open`() throws {
    try rig.add("anna")
    try damage("anna")
    let (daemon, client) = try start()
    #expect(
      daemon.wait { _ in (try? client.send("GET", "/ready").body.contains("no account is open")) == true }
    )
    #expect(try client.send("GET", "/ready").status == 503)
    try rig.add("ben")
    #expect(daemon.wait { _ in (try? client.send("GET", "/ready").status) == 200 }, "\(daemon.errors)")
    try stop(daemon)
  }

  @Test func `Accounts for which too few files may be open are closed, and newsd answers`() throws {
    try rig.add("anna", "ben", "carl", "dora", "eve", "finn")
    let (open, closed) = (try app("anna"), try app("finn"))
    let (daemon, client) = try start(files: 128)
    #expect(serves("anna", daemon) && serves("ben", daemon), "\(daemon.errors)")
    let text = "not opened: 128 open files (ulimit -n) are enough for 2 accounts, and 6 need 240"
    for name in ["carl", "finn"] {
      let line = "event=account account=\(name) error=\"\(text)\""
      #expect(daemon.wait { $0.errors.contains(line) }, "\(daemon.errors)")
    }
    #expect(daemon.errors.contains("only 16 of 1024 connections"), "\(daemon.errors)")
    #expect(try statuses(client, "anna", open) == [200, 200, 404, 200, 200])
    #expect(try statuses(client, "finn", closed) == [503, 503, 503, 503, 503])
    #expect(try client.send("GET", "/health").status == 200)
    // A closed account is opened as soon as there is room.
    #expect(try newsd().run("accounts", "disable", "ben").status == 0)
    #expect(serves("carl", daemon), "\(daemon.errors)")
    try stop(daemon)
  }

  @Test func `The protocols have their addresses before the first account is open`() throws {
    try rig.add("anna")
    let password = try app("anna")
    // A store that is locked against writers only is open after twenty seconds, which may pass on a busy machine.
    let holder = try hold("anna", fromReaders: true)
    defer { sqlite3_close(holder) }
    let (daemon, client) = try start()
    #expect(try statuses(client, "anna", password) == [503, 503, 503, 503, 503])
    #expect(try client.send("GET", "/icons/0123456789abcdef0123456789abcdef").status == 404)
    #expect(try client.send("GET", "/reader/api/0/user-info").status == 401)
    try stop(daemon)
  }

  @Test func `A disabled account opens again while a stream of events has not ended`() throws {
    try rig.add("anna")
    try setPassword("anna")
    let (daemon, client) = try start()
    #expect(serves("anna", daemon), "\(daemon.errors)")
    var anna = client
    #expect(try anna.logIn("anna", "anna+has+one") == 303)
    let stream = try Loopback.connect(anna.port)
    defer { close(stream) }
    let head = "GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(try #require(anna.cookie))\r\n\r\n"
    _ = send(stream, head, head.utf8.count, 0)
    var byte: UInt8 = 0
    #expect(recv(stream, &byte, 1, 0) == 1)
    #expect(try newsd().run("accounts", "disable", "anna").status == 0)
    #expect(daemon.wait { $0.errors.contains("event=account account=anna message=") }, "\(daemon.errors)")
    #expect(try newsd().run("accounts", "enable", "anna").status == 0)
    #expect(serves("anna", daemon, times: 2), "\(daemon.errors)")
    #expect(!daemon.errors.contains("already active"), "\(daemon.errors)")
    try stop(daemon)
  }

  @Test(arguments: ["header", "pages", "size"])
  func `Damage to a store that nobody uses is noticed, and the others are served`(_ part: String) throws {
    try rig.add("anna", "bob")
    try rig.ingest("Apple", into: "anna")
    let path = rig.folder + "/anna.db"
    var database: OpaquePointer?
    try #require(sqlite3_open(path, &database) == SQLITE_OK)
    #expect(sqlite3_exec(database, "PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    let (daemon, client) = try start()
    #expect(serves("anna", daemon) && serves("bob", daemon), "\(daemon.errors)")
    let file = open(path, O_WRONLY)
    let size = lseek(file, 0, SEEK_END)
    let garbage = [UInt8](repeating: 0xA5, count: Int(size))
    switch part {
    case "header": #expect(pwrite(file, garbage, 100, 0) == 100)
    case "pages": #expect(pwrite(file, garbage, Int(size) - 8192, 8192) == Int(size) - 8192)
    default: #expect(ftruncate(file, 20_000) == 0)
    }
    close(file)
    #expect(
      daemon.wait(seconds: 15) { $0.errors.contains("event=account account=anna error=") },
      "\(daemon.errors)"
    )
    let metrics = try client.send("GET", "/metrics").body
    #expect(metrics.contains("\nnewsd_health{account=\"anna\"} 2\n"), "\(metrics)")
    #expect(metrics.contains("\nnewsd_health{account=\"bob\"} 0\n"), "\(metrics)")
    try stop(daemon)
  }

  @Test func `A log-in waits for a store that is just being opened`() throws {
    try rig.add("anna")
    try setPassword("anna")
    var database: OpaquePointer?
    try #require(sqlite3_open(rig.folder + "/anna.db", &database) == SQLITE_OK)
    defer { sqlite3_close(database) }
    #expect(sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
    let (daemon, client) = try start()
    let store = rig.folder + "/anna.db"
    #expect(daemon.wait { _ in daemon.hasOpened(store) }, "\(daemon.errors)")
    let socket = try Loopback.connect(client.port)
    defer { close(socket) }
    let body = "name=anna&password=anna+has+one"
    let head =
      "POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    let text = "\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    _ = send(socket, text, text.utf8.count, 0)
    usleep(300_000)
    #expect(sqlite3_exec(database, "COMMIT", nil, nil, nil) == SQLITE_OK)
    var answer = [UInt8](repeating: 0, count: 12)
    #expect(recv(socket, &answer, 12, Int32(MSG_WAITALL)) == 12)
    #expect(String(decoding: answer, as: UTF8.self) == "HTTP/1.1 303")
    try stop(daemon)
  }

  @Test func `A store that fails while it is served does not show that the account exists`() throws {
    try rig.add("anna", "bob")
    for name in ["anna", "bob"] { try setPassword(name) }
    let (daemon, client) = try start()
    #expect(serves("anna", daemon) && serves("bob", daemon), "\(daemon.errors)")
    var anna = client
    #expect(try anna.logIn("anna", "anna+has+one") == 303)
    #expect(try anna.send("GET", "/unread").status == 200)
    var database: OpaquePointer?
    try #require(sqlite3_open(rig.folder + "/anna.db", &database) == SQLITE_OK)
    let damage = "ALTER TABLE sessions RENAME COLUMN seen TO lost"
    #expect(sqlite3_exec(database, damage, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    var browser = client
    #expect(try browser.logIn("anna", "anna+has+one") == 503)
    var answers: Set<String> = []
    for name in ["anna", "nobody"] {
      let answer = try client.send("POST", "/login", body: "name=\(name)&password=wrong")
      answers.insert("\(answer.status) \(answer.body.replacing(name, with: ""))")
      let page = try client.send("GET", "/unread", ["Cookie": "newsd=\(name).0"])
      answers.insert("\(page.status) \(page.body)")
    }
    #expect(answers.count == 2, "\(answers)")
    // Her own session is not one of a stranger.
    #expect(try anna.send("GET", "/unread").status == 503)
    #expect(try failures(client) == "2")
    try stop(daemon)
  }

  @Test func `A reload reaches an account that is just being opened`() throws {
    try rig.add("anna")
    let mark = rig.directory.path + "/mark"
    let file = rig.directory.write("hooks: []\n", to: "newsd.yaml")
    let database = try hold("anna")
    defer { sqlite3_close(database) }
    let (daemon, _) = try start(["NEWSD_CONFIG": file])
    let store = rig.folder + "/anna.db"
    #expect(daemon.wait { _ in daemon.hasOpened(store) }, "\(daemon.errors)")
    rig.directory.write(
      "hooks: [{name: mark, account: anna, exec: [/usr/bin/touch, \(mark)], events: [item]}]\n",
      to: "newsd.yaml"
    )
    daemon.send(signal: SIGHUP)
    #expect(daemon.wait { $0.errors.contains("event=reload") }, "\(daemon.errors)")
    #expect(!daemon.errors.contains("event=account account=anna store="), "\(daemon.errors)")
    #expect(sqlite3_exec(database, "COMMIT", nil, nil, nil) == SQLITE_OK)
    #expect(serves("anna", daemon), "\(daemon.errors)")
    try rig.ingest("Apple", into: "anna")
    #expect(daemon.wait { _ in access(mark, F_OK) == 0 }, "\(daemon.errors)")
    try stop(daemon)
  }
}
