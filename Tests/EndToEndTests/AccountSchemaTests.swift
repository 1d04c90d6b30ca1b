import Glibc
import TestServer
import TestSupport
import Testing

/// Accounts in the schemas of a database: what differs from those in a folder.
@Suite(.blocking, .enabled(if: TestDatabase.shared != nil)) struct `Accounts on PostgreSQL` {
  private let rig: AccountRig
  private let server: String

  init() throws {
    rig = AccountRig.$place.withValue(.server) { AccountRig() }
    server = try #require(rig.server)
  }

  /// The first column of a query's rows.
  private func sql(_ text: String) throws -> [String] {
    let result = try rig.newsd().run(program: "psql", ["-qAtX", "-v", "ON_ERROR_STOP=1", "-c", text, server])
    #expect(result.status == 0, "\(result.errors)")
    return result.lines.map(String.init)
  }

  private var schemas: [String] {
    get throws {
      try sql("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'newsd%' ORDER BY nspname COLLATE \"C\"")
    }
  }

  @Test func `Each account is a schema, whatever characters its name has`() throws {
    let names = ["a.b-c_d", String(repeating: "x", count: 32), "removed_anna"]
    for name in names {
      try rig.add(name)
      try rig.ingest("Item of \(name)", into: name)
      let check = try rig.newsd().run("--account", name, "check")
      #expect(check.status == 0, "\(check.output)\(check.errors)")
      #expect(try rig.titles(of: name) == "Item of \(name)\n")
      #expect(try rig.newsd().run("--account", name, "status").status == 0)
    }
    #expect(try schemas == names.map { "newsd_" + $0 }.sorted())
    #expect(try rig.newsd().run("accounts", "--format", "ids").lines.map(String.init) == names.sorted())
    for name in names { #expect(try rig.newsd().run("accounts", "remove", name, "--yes").status == 0) }
    #expect(try rig.newsd().run("accounts").lines.isEmpty)
  }

  @Test
  func `A removed account's schema is renamed, keeps its items, and becomes an account again by a copy`()
    throws
  {
    try rig.add("anna", "bob")
    try rig.ingest("Apple", into: "anna")
    #expect(try rig.newsd().run("accounts", "disable", "anna").status == 0)
    let removed = try rig.newsd().run("accounts", "remove", "anna", "--yes")
    #expect(removed.status == 0, "\(removed.errors)")
    let aside = try #require(try schemas.first { $0.hasPrefix("newsd_removed_anna_") })
    #expect(removed.errors.contains("its store is now the schema \(aside)"), "\(removed.errors)")
    #expect(try rig.newsd().run("accounts", "--format", "ids").output == "bob\n")
    // A new account of the same name begins empty, and the former store stays as it was, also when it is written.
    try rig.add("anna")
    let former = "\(server)&schema=\(aside)"
    let noted = try rig.plain.run(["--db", former, "ingest", "--feed", "x"], input: "{\"title\":\"Late\"}\n")
    #expect(noted.status == 0, "\(noted.errors)")
    _ = try sql("UPDATE \"\(aside)\".store SET commits = commits")
    #expect(try rig.plain.run("--db", former, "check").status == 0)
    #expect(try rig.titles(of: "anna") == "")
    #expect(
      try rig.newsd().run("accounts", "--format", "tsv", "--fields", "account,state,items").output
        == "anna\tactive\t0\nbob\tactive\t0\n"
    )
    let copied = try rig.newsd().run("accounts", "add", "carl", "--from", former)
    #expect(copied.status == 0, "\(copied.errors)")
    #expect(try rig.titles(of: "carl") == "Late\nApple\n")
  }

  @Test
  func `An account that is still being made, a schema without a store and one of another role are none`()
    throws
  {
    try rig.add("anna")
    _ = try sql(
      """
      CREATE SCHEMA "newsd_bob_DRAFT"; CREATE SCHEMA newsd_empty; CREATE SCHEMA "newsd_Big"; CREATE SCHEMA newsdx;
      DO $$ BEGIN CREATE ROLE account_stranger; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
      CREATE SCHEMA newsd_evil AUTHORIZATION account_stranger
      """
    )
    let list = try rig.newsd().run("accounts", "--format", "tsv", "--fields", "account,state,problem").lines
    #expect(list.count == 3, "\(list)")
    #expect(list.first == "anna\tactive\t")
    #expect(
      list.contains { $0.hasPrefix("empty\tfailed\tthe schema newsd_empty has no store of newsd") },
      "\(list)"
    )
    #expect(
      list.contains { $0.hasPrefix("evil\tfailed\tthe schema newsd_evil") && $0.contains("account_stranger") }
    )
    let used = try rig.newsd().run("--account", "evil", "list")
    #expect(
      used.status == 74 && used.errors.contains("The owner can make newsd run programs"),
      "\(used.errors)"
    )
    let taken = try rig.newsd().run("accounts", "add", "empty")
    #expect(taken.status == 73, "\(taken.errors)")
  }

  @Test(arguments: ["items", "secrets", "store"])
  func `A daemon notices that a store has lost a table, and serves the others`(_ table: String) throws {
    try rig.add("anna", "bob")
    let daemon = try rig.newsd(["NEWSD_WEB_LISTEN": "127.0.0.1:0"]).start(["run"])
    for name in ["anna", "bob"] {
      #expect(daemon.wait { $0.errors.contains("event=account account=\(name) store=") }, "\(daemon.errors)")
    }
    let line = try #require(daemon.errors.split(separator: "\n").first { $0.contains("event=web listen=") })
    let port = try #require(line.split(separator: " ").last { $0.hasPrefix("port=") }).dropFirst(5)
    let client = AccountClient(port: try #require(UInt16(port)))
    _ = try sql("DROP TABLE newsd_anna.\(table) CASCADE")
    let reason = table == "store" ? "has no store of newsd" : "lacks tables (\(table))"
    #expect(
      daemon.wait {
        $0.errors.split(separator: "\n")
          .contains { $0.contains("event=account account=anna error=") && $0.contains(reason) }
      },
      "\(daemon.errors)"
    )
    func health() throws -> [Substring] {
      try client.send("GET", "/metrics").body.split(separator: "\n").filter { $0.hasPrefix("newsd_health") }
    }
    // The requests in flight end first.
    for _ in 0..<50 where try !health().contains("newsd_health{account=\"anna\"} 2") { usleep(100_000) }
    #expect(
      try health().sorted() == ["newsd_health{account=\"anna\"} 2", "newsd_health{account=\"bob\"} 0"]
    )
    let list = try rig.newsd().run("accounts", "--format", "tsv", "--fields", "account,state,problem").lines
    #expect(list.contains { $0.hasPrefix("anna\tfailed\t") && $0.contains(reason) }, "\(list)")
    #expect(list.contains("bob\tactive\t"), "\(list)")
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 30).status == 0)
  }

  @Test func `A schema that another role has made does not keep unknown secrets from being refused`() throws {
    try rig.add("anna")
    _ = try sql(
      """
      DO $$ BEGIN CREATE ROLE account_stranger; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
      CREATE SCHEMA newsd_zoe AUTHORIZATION account_stranger
      """
    )
    let daemon = try rig.newsd(["NEWSD_WEB_LISTEN": "127.0.0.1:0"]).start(["run"])
    #expect(daemon.wait { $0.errors.contains("event=account account=anna store=") }, "\(daemon.errors)")
    #expect(daemon.wait { $0.errors.contains("event=account account=zoe error=") }, "\(daemon.errors)")
    let line = try #require(daemon.errors.split(separator: "\n").first { $0.contains("event=web listen=") })
    let port = try #require(line.split(separator: " ").last { $0.hasPrefix("port=") }).dropFirst(5)
    let client = AccountClient(port: try #require(UInt16(port)))
    #expect(try client.send("GET", "/v1/me", ["X-Auth-Token": "wrong"]).status == 401)
    #expect(try client.send("POST", "/login", body: "name=zoe&password=wrong").status == 403)
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 30).status == 0)
  }

  /// newsd with a limit on open files.
  private func newsd(files: Int) -> (Program, [String]) {
    var program = rig.newsd(["NEWSD_WEB_LISTEN": "127.0.0.1:0"])
    program.executable = "/bin/sh"
    return (program, ["-c", "ulimit -n \(files); exec \"$0\" run", Program.path])
  }

  @Test func `Accounts for which too few files may be open are closed`() throws {
    try rig.add("anna", "ben", "carl", "dora", "eve", "finn")
    let (program, words) = newsd(files: 128)
    let daemon = try program.start(words)
    for name in ["anna", "dora"] {
      #expect(daemon.wait { $0.errors.contains("event=account account=\(name) store=") }, "\(daemon.errors)")
    }
    let text = "not opened: 128 open files (ulimit -n) are enough for 4 accounts, and 6 need 132"
    for name in ["eve", "finn"] {
      let line = "event=account account=\(name) error=\"\(text)\""
      #expect(daemon.wait { $0.errors.contains(line) }, "\(daemon.errors)")
    }
    #expect(daemon.errors.contains("only 4 of 1024 connections"), "\(daemon.errors)")
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 30).status == 0)
  }

  @Test func `The daemon needs more open files than for one store`() throws {
    try rig.add("anna")
    let (program, words) = newsd(files: 127)
    let result = try program.run(words)
    #expect(result.status == 74)
    #expect(
      result.errors.contains("'newsd run' needs 128 open files for accounts on a server, but only 127"),
      "\(result.errors)"
    )
  }

  @Test func `The daemon is not ready while it has no lease at the server`() throws {
    try rig.add("anna")
    let daemon = try rig.newsd(["NEWSD_WEB_LISTEN": "127.0.0.1:0"]).start(["run"])
    #expect(daemon.wait { $0.errors.contains("event=account account=anna store=") }, "\(daemon.errors)")
    let line = try #require(daemon.errors.split(separator: "\n").first { $0.contains("event=web listen=") })
    let port = try #require(line.split(separator: " ").last { $0.hasPrefix("port=") }).dropFirst(5)
    let client = AccountClient(port: try #require(UInt16(port)))
    func isReady(_ status: Int) -> Bool {
      daemon.wait { _ in (try? client.send("GET", "/ready").status) == status }
    }
    #expect(isReady(200))
    _ = try sql("DROP TABLE newsd.nodes")
    #expect(isReady(503), "\(daemon.errors)")
    let answer = try client.send("GET", "/ready").text
    #expect(answer.contains("{\"part\":\"accounts\"") && answer.contains("drop the schema"), "\(answer)")
    _ = try sql("DROP SCHEMA newsd CASCADE")
    #expect(isReady(200), "\(daemon.errors)")
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 30).status == 0)
  }

  @Test func `An account begins with a copy of a file or of another account`() throws {
    let line = "{\"id\":\"1\",\"title\":\"Kept\"}\n"
    #expect(try rig.plain.run(["ingest", "--feed", "a"], input: line).status == 0)
    #expect(
      try rig.newsd().run("accounts", "add", "anna", "--from", rig.directory.path + "/newsd.db").status == 0
    )
    let second = try rig.newsd().run("accounts", "add", "bob", "--from", server + "&schema=newsd_anna")
    #expect(second.status == 0, "\(second.errors)")
    for name in ["anna", "bob"] { #expect(try rig.titles(of: name) == "Kept\n") }
    #expect(try schemas == ["newsd_anna", "newsd_bob"])
    let copies = rig.directory.path + "/copies"
    #expect(try rig.newsd().run("backup", copies).status == 0)
    let kept = try rig.plain.run("--db", copies + "/bob.db", "list", "--format", "tsv", "--fields", "title")
    #expect(kept.output == "Kept\n")
    let restore = try rig.newsd().run("--account", "bob", "restore", copies + "/bob.db")
    #expect(
      restore.status == 64 && restore.errors.contains("accounts add NAME --from FILE"),
      "\(restore.errors)"
    )
    for command in [["prune"], ["upgrade"]] {
      #expect(try rig.newsd().run(command).status == 0, "\(command)")
    }
  }

  @Test func `The daemon notices accounts that come, go and are disabled`() throws {
    let feeds = try TestServer()
    feeds.on("/feed", .ok(Sample.rss(["One"])))
    try rig.add("anna", "bob")
    let newsd = rig.newsd(["NEWSD_ALLOW_PRIVATE": "1", "NEWSD_NETWORK_SPACING": "0ms"])
    let url = feeds.url("/feed")
    let daemon = try newsd.start(["run"])
    func opened(_ name: String) -> Bool {
      daemon.wait { $0.errors.contains("event=account account=\(name) store=") }
    }
    func closed(_ name: String) -> Bool {
      daemon.wait { $0.errors.contains("event=account account=\(name) message=") }
    }
    #expect(opened("anna") && opened("bob"), "\(daemon.errors)")
    for name in ["anna", "bob"] {
      #expect(try newsd.run("--account", name, "feeds", "add", "--force", url).status == 0)
    }
    #expect(
      daemon.wait { _ in (try? rig.titles(of: "bob")) == "One\n" && (try? rig.titles(of: "anna")) == "One\n" }
    )
    try rig.add("carl")
    #expect(opened("carl"), "\(daemon.errors)")
    #expect(try newsd.run("accounts", "disable", "bob").status == 0)
    #expect(closed("bob"), "\(daemon.errors)")
    #expect(try newsd.run("accounts", "remove", "anna", "--yes").status == 0)
    #expect(closed("anna"), "\(daemon.errors)")
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish(seconds: 30).status == 0)
  }

  @Test func `A wrong address, one with a schema, and a folder besides are refused`() throws {
    for (address, message) in [
      (server + "&schema=x", "accounts.store: the address must not name a schema"),
      ("/var/lib/newsd", "accounts.store: the store is neither a path nor an address"),
    ] {
      let refused = try rig.newsd(["NEWSD_ACCOUNTS_STORE": address]).run("accounts")
      #expect(refused.status == 78 && refused.errors.contains(message), "\(refused.errors)")
    }
    let both = try rig.newsd(["NEWSD_ACCOUNTS_DIR": rig.folder]).run("accounts")
    #expect(both.status == 78)
    #expect(both.errors.contains("accounts.dir and accounts.store exclude each other; remove one"))
    let missing = try rig.newsd(["NEWSD_ACCOUNTS_STORE": "postgresql://u:secret@127.0.0.1:9/x"]).run(
      "accounts"
    )
    #expect(missing.status == 74 && !missing.errors.contains("secret"), "\(missing.errors)")
  }
}
