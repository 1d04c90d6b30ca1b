import Glibc
import TestServer
import TestSupport
import Testing

@Suite(.blocking) struct `Moving in from another server` {
  private let old = TemporaryDirectory()
  private let new = TemporaryDirectory()

  private func feed() -> String {
    let items = (1...3).map {
      """
      <item><title>Story \($0)</title><link>https://site.example/\($0)</link><guid isPermaLink="false">g-\($0)</guid>\
      <pubDate>Fri, 20 Nov 2026 0\($0):00:00 GMT</pubDate><description>Text &lt;b&gt;\($0)&lt;/b&gt;</description></item>
      """
    }
    return "<rss version=\"2.0\"><channel><title>News</title>\(items.joined())</channel></rss>"
  }

  /// The kinds of stores: a file, and PostgreSQL where it is installed.
  enum Kind: CaseIterable {
    case file, postgres

    static var available: [Kind] { allCases.filter { $0 == .file || TestDatabase.shared != nil } }

    /// The variables that make newsd use a new store of this kind.
    var environment: [String: String] {
      guard self == .postgres, let address = TestDatabase.shared?.newStore() else { return [:] }
      return ["NEWSD_DB": address]
    }
  }

  @Test(arguments: ["greader", "miniflux", "fever"], Kind.available)
  func `An import keeps states, and the first poll doubles nothing, marks nothing unread and fires no hook`(
    api: String,
    kind: Kind
  ) throws {
    let publisher = try TestServer()
    publisher.on("/feed", .ok(feed()))
    let source = Program(
      in: old,
      environment: kind.environment.merging(["NEWSD_WEB_LISTEN": "127.0.0.1:0"]) { $1 }
    )
    #expect(try source.run("feeds", "add", publisher.url("/feed"), "--folder", "Daily").status == 0)
    let ids = try source.run("list", "--format", "ids").output.split(separator: "\n").map(String.init)
    #expect(ids.count == 3)
    #expect(try source.run("mark", "read", ids[0], ids[1]).status == 0)
    #expect(try source.run("mark", "starred", ids[1]).status == 0)
    #expect(try source.run("label", "add", "later", ids[1]).status == 0)
    let password = try source.run("web", "apps", "add", "move").output.dropLast()
    let daemon = try source.start(["run"])
    #expect(daemon.wait { $0.errors.contains("event=start") }, "\(daemon.errors)")
    let line = try #require(daemon.errors.split(separator: "\n").first { $0.contains("event=web ") })
    let port = try #require(line.split(separator: " ").last { $0.hasPrefix("port=") }).dropFirst(5)
    let base = "http://127.0.0.1:\(port)" + (api == "fever" ? "/fever/" : "")
    let requests = publisher.requests(to: "/feed").count
    var target = Program(
      in: new,
      environment: kind.environment.merging(["NEWSD_IMPORT_PASSWORD": String(password)]) { $1 }
    )
    let words = ["import", "--from", base, "--api", api, "--user", "newsd"]
    let imported = try target.run(words)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(imported.errors.contains("1 feed, 3 items"), "\(imported.errors)")
    // Publishers are not asked.
    #expect(publisher.requests(to: "/feed").count == requests)
    func state() throws -> String {
      try target.run("list", "--format", "tsv", "--fields", "title,is_read,is_starred,published").output
    }
    let before = try state()
    #expect(
      before
        == (try source.run("list", "--format", "tsv", "--fields", "title,is_read,is_starred,published").output)
    )
    if api == "greader" {
      #expect(
        try target.run("search", "label:later", "--format", "ids").output.split(separator: "\n").count == 1
      )
    }
    #expect(try target.run("feeds", "--format", "tsv", "--fields", "folder").output == "Daily\n")
    // A second import adds nothing.
    let again = try target.run(words)
    #expect(again.errors.contains("0 feeds, 0 items; 3 were stored before"), "\(again.errors)")
    target.environment["NEWSD_ALLOW_PRIVATE"] = "1"
    let hooks =
      "hooks:\n- name: all\n  exec: [touch, \(new.path)/fired]\n  events: [item, edited, starred]\n  backlog: true\n"
    target.environment["NEWSD_CONFIG"] = new.write(hooks, to: "hooks.yaml")
    let fetched = try target.run("fetch")
    #expect(fetched.status == 0, "\(fetched.errors)")
    #expect(try state() == before)
    let outbox = try target.run("hooks", "list", "--format", "tsv").output
    #expect(access(new.path + "/fired", F_OK) != 0 && !outbox.contains("\t1\t"), "\(outbox)")
    target.environment["NEWSD_IMPORT_PASSWORD"] = "wrong"
    #expect(try target.run(words).status == 65)
    daemon.send(signal: SIGTERM)
    _ = try daemon.finish(seconds: 30)
    #expect(try target.run(words).status == 69)
  }

  /// `isForgotten`: the server no longer knows the place where the import was killed.
  @Test(arguments: Kind.available, [false, true])
  func `A killed import continues after the last page that was stored`(kind: Kind, isForgotten: Bool) throws {
    let server = try TestServer()
    func page(_ ids: [Int]) -> Reply {
      let entries = ids.map {
        "{\"id\":\($0),\"feed_id\":7,\"status\":\"read\",\"title\":\"T\($0)\",\"url\":\"https://n.example/\($0)\"}"
      }
      return .ok("{\"total\":6,\"entries\":[\(entries.joined(separator: ","))]}")
    }
    let first = "/v1/entries?order=id&direction=asc&limit=500"
    server.on("/v1/feeds", .ok("[{\"id\":7,\"feed_url\":\"https://n.example/feed\",\"title\":\"News\"}]"))
    server.on(first, page([1, 2]))
    server.on(first + "&after_entry_id=2", page([3, 4]))
    server.on(first + "&after_entry_id=6", page([]))
    let last = first + "&after_entry_id=4"
    server.on(last, .stall(after: Array("{".utf8), announced: 1000))
    let newsd = Program(
      in: new,
      environment: kind.environment.merging(["NEWSD_IMPORT_PASSWORD": "token-1234"]) { $1 }
    )
    let words = ["import", "--from", server.url("/"), "--api", "miniflux"]
    let killed = try newsd.start(words)
    #expect(killed.wait { _ in !server.requests(to: last).isEmpty }, "\(killed.errors)")
    killed.send(signal: SIGKILL)
    #expect(try killed.finish().status == 128 + SIGKILL)
    #expect(try newsd.run("list", "--format", "ids").lines.count == 4)
    // Another account of the same server begins at the start.
    var other = newsd
    other.environment["NEWSD_IMPORT_PASSWORD"] = "token-5678"
    server.on(last, .status(404))
    #expect(try other.run(words).status == 65)
    #expect(server.requests(to: first).count == 2)
    if isForgotten {
      server.on(last, .status(404), page([5, 6]))
    } else {
      server.on(last, page([5, 6]))
    }
    let continued = try newsd.run(words)
    #expect(continued.status == 0, "\(continued.errors)")
    let starts = isForgotten ? 3 : 2
    #expect(server.requests(to: first).count == starts)
    #expect(continued.errors.contains("continued after 4 items") != isForgotten, "\(continued.errors)")
    #expect(
      continued.errors.contains("2 items; \(isForgotten ? 4 : 0) were stored before"),
      "\(continued.errors)"
    )
    #expect(try newsd.run("list", "--format", "ids").lines.count == 6)
    // A finished import can be repeated: it reads everything.
    let again = try newsd.run(words)
    #expect(again.errors.contains("0 feeds, 0 items; 6 were stored before"), "\(again.errors)")
    #expect(server.requests(to: first).count == starts + 1)
  }

  @Test func `A backup in a folder is verified, and only older backups beyond the number are removed`() throws
  {
    let newsd = Program(in: new)
    #expect(try newsd.run(["ingest", "--feed", "a"], input: "{\"id\":\"1\",\"title\":\"A\"}\n").status == 0)
    let folder = old.path
    for name in [
      "newsd-20200101T000000Z.db", "newsd-20210101T000000Z.db", "newsd-20210101T000000Z.db.keep", "newsd.db",
      "newsd-29980101T000000Z.db", "newsd-20190101T000000Z.db-wal", "other-20190101T000000Z.db-wal",
      "newsd-20210101T000000Z.db-wal",
    ] {
      _ = old.write("x", to: name)
    }
    // A killed backup leaves a folder. A running backup has a folder, too.
    let unfinished = "\(folder)/newsd-20190102T000000Z.db.partial"
    let running = "\(folder)/newsd-29990101T000000Z.db.partial"
    _ = try newsd.run(program: "mkdir", ["-m", "700", unfinished, running])
    _ = old.write("x", to: "newsd-20190102T000000Z.db.partial/store.db")
    let made = try newsd.run("backup", "--keep", "2", folder)
    #expect(made.status == 0, "\(made.errors)")
    let names = try newsd.run(program: "ls", [folder]).output.split(separator: "\n").map(String.init)
    #expect(names.count == 8, "\(names)")
    // A clock that is wrong, or was, costs no right backup.
    #expect(names.contains("newsd-29980101T000000Z.db"))
    #expect(made.errors.contains("newsd-29980101T000000Z.db has a time in the future"), "\(made.errors)")
    #expect(names.contains("newsd-20210101T000000Z.db-wal"), "the journal of a backup that is kept")
    #expect(
      names.contains("other-20190101T000000Z.db-wal") && names.contains("newsd-29990101T000000Z.db.partial")
    )
    #expect(names.contains("newsd-20210101T000000Z.db") && !names.contains("newsd-20200101T000000Z.db"))
    #expect(names.contains("newsd.db") && names.contains("newsd-20210101T000000Z.db.keep"))
    let copy = try #require(names.first { $0.hasPrefix("newsd-202") && !$0.hasPrefix("newsd-2021") })
    #expect(try newsd.run("--db", "\(folder)/\(copy)", "list", "--format", "ids").output == "1\n")
    #expect(try newsd.run("backup", "--keep", "0", folder).status == 64)
    let missing = try newsd.run("backup", "--keep", "2", folder + "/none")
    #expect(missing.status == 73)
    #expect(missing.errors == "newsd: there is no folder \(folder)/none; create it, or name another\n")
  }

  @Test(arguments: Kind.available)
  func `Backups of one second have different names, and a folder that cannot be removed is a warning`(
    _ kind: Kind
  ) throws {
    let newsd = Program(in: new, environment: kind.environment)
    #expect(try newsd.run(["ingest", "--feed", "a"], input: "{\"id\":\"1\",\"title\":\"A\"}\n").status == 0)
    let folder = old.path
    let foreign = "\(folder)/newsd-20190102T000000Z.db.partial"
    // Other processes make backups with the names of this and the next seconds.
    let seconds = "date -u -d \"@$((now + i))\" +newsd-%Y%m%dT%H%M%SZ.db.partial"
    let script = "now=$(date +%s); for i in $(seq 0 29); do mkdir -m 700 \"$0/$(\(seconds))\"; done"
    #expect(try newsd.run(program: "sh", ["-c", script, folder]).status == 0)
    // A file in a folder inside keeps this one from being removed; for another user, its owner does.
    #expect(try newsd.run(program: "mkdir", ["-p", foreign + "/a/b"]).status == 0)
    chmod(foreign, geteuid() == 0 ? 0o755 : 0o500)
    if geteuid() == 0 { chown(foreign, 4711, 4711) }
    let made = try newsd.run("backup", "--keep", "2", folder)
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.errors.contains("cannot remove \(foreign)"), "\(made.errors)")
    let names = try newsd.run(program: "ls", [folder]).output.split(separator: "\n")
    #expect(names.count { $0.hasSuffix(".partial") } == 31, "\(names)")
    #expect(names.count { $0.hasSuffix(".db") } == 1, "\(names)")
    // What a killed process has left beside a copy that is not there is removed at once.
    _ = old.write("x", to: "newsd-20990102T000000Z.db-wal")
    #expect(try newsd.run("backup", "--keep", "2", folder).status == 0)
    #expect(try newsd.run(program: "ls", [folder]).output.split(separator: "\n").count == 33)
  }
}
