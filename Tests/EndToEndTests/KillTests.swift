import CSQLite
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import TestServer

/// SIGKILL during a refresh loses no data but that refresh's.
@Suite(.blocking) struct `A refresh killed by SIGKILL` {
  private static let feeds = 12
  private static let items = 30

  /// Number of kills: few by default; set `NEWSD_KILLS=200` for a thorough run.
  private static let kills = getenv("NEWSD_KILLS").flatMap { Int(String(cString: $0)) } ?? 6

  private let directory = TemporaryDirectory()
  private let server: TestServer
  private var newsd: Program { Program(in: directory, environment: ["NEWSD_ALLOW_PRIVATE": "1"]) }
  private var store: String { directory.path + "/newsd.db" }

  init() throws {
    server = try TestServer()
    for feed in 0..<Self.feeds {
      var items = ""
      for item in 0..<Self.items {
        let text = (0..<120).map { "word\(($0 * 7 + item * 13 + feed * 31) % 997)" }.joined(separator: " ")
        items += """
          <item><title>Story \(item) of feed \(feed)</title><guid isPermaLink="false">f\(feed)-i\(item)</guid>
          <link>https://example.org/\(feed)/\(item)</link><category>c\(item % 5)</category>
          <pubDate>Tue, 10 Nov 2026 0\(item / 10):\(item % 10)\(feed % 10):00 GMT</pubDate>
          <description>\(text)</description></item>

          """
      }
      let document = """
        <?xml version="1.0"?><rss version="2.0"><channel><title>Feed \(feed)</title>
        \(items)</channel></rss>
        """
      server.on("/feed\(feed)", .ok(document))
    }
  }

  private func copy(_ source: String, to target: String) throws {
    for suffix in ["", "-wal", "-shm"] { unlink(target + suffix) }
    let bytes = try #require(read(source))
    let file = open(target, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    #expect(bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } == bytes.count)
  }

  private func read(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }

  private func content() throws -> [String] {
    let fields = "guid,title,url,published,tags,is_read,is_starred,content_text,feed"
    return try newsd.run("list", "--format", "tsv", "--fields", fields).lines.map(String.init).sorted()
  }

  private func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  @Test func `The store passes the check, and the next refresh gives the same content`() throws {
    var outlines = ""
    for feed in 0..<Self.feeds {
      outlines += "<outline type=\"rss\" xmlUrl=\"\(server.url("/feed\(feed)"))\"/>"
    }
    let list = directory.write("<opml version=\"2.0\"><body>\(outlines)</body></opml>", to: "feeds.opml")
    #expect(try newsd.run("feeds", "import", list).status == 0)
    let template = directory.path + "/template"
    try copy(store, to: template)

    let start = now()
    #expect(try newsd.run("fetch").status == 0)
    let duration = now() - start
    // The WAL has been checkpointed and removed, so the one file is the whole store.
    #expect(access(store + "-wal", F_OK) != 0)
    let undisturbed = try content()
    #expect(undisturbed.count == Self.feeds * Self.items)

    for round in 0..<Self.kills {
      try copy(template, to: store)
      // Spread the kills over the whole duration of a refresh.
      let delay = duration * round / max(Self.kills - 1, 1)
      let running = try newsd.start(["fetch"])
      pause(milliseconds: delay)
      running.send(signal: SIGKILL)
      let ended = try running.finish()
      #expect(ended.status == 137 || ended.status == 0, "round \(round), after \(delay) ms: \(ended.errors)")
      let check = try newsd.run("check")
      #expect(check.status == 0, "round \(round), after \(delay) ms: \(check.output)\(check.errors)")
      #expect(try newsd.run("fetch").status == 0, "round \(round), after \(delay) ms")
      #expect(try content() == undisturbed, "round \(round), after \(delay) ms")
    }
    #expect(try newsd.run("check").status == 0)
  }
}

/// SIGKILL while items are labelled or starred leaves each change together with its delivery.
@Suite(.blocking) struct `A change of labels or stars killed by SIGKILL` {
  private static let items = 5000
  private static let kills = 5

  private let directory = TemporaryDirectory()
  private var newsd: Program { Program(in: directory) }

  @Test(arguments: [["label", "add", "later", "--all"], ["mark", "starred", "--all"]])
  func `The store passes the check, and every changed item waits for delivery once`(_ words: [String]) throws
  {
    let hook = "{name: keep, events: [starred, labelled], exec: ['true']}"
    let path = directory.write("hooks:\n- \(hook)\n", to: "newsd.yaml")
    let lines = (0..<Self.items).map { "{\"id\":\"\($0)\",\"title\":\"Item \($0)\"}\n" }.joined()
    #expect(try newsd.run(["--config", path, "ingest", "--feed", "F"], input: lines).status == 0)
    var delay = 40
    for round in 0..<Self.kills {
      let running = try newsd.start(words)
      pause(milliseconds: delay)
      running.send(signal: SIGKILL)
      _ = try running.finish()
      delay += 40
      let check = try newsd.run("check")
      #expect(check.status == 0, "round \(round): \(check.output)\(check.errors)")
      let changed = try newsd.run("search", "label:later OR is:starred", "--count").output
      let pending = try newsd.run("hooks", "list", "--format", "tsv", "--fields", "pending").output
      #expect(changed == pending, "round \(round)")
    }
    #expect(try newsd.run(words).status == 0)
    let pending = try newsd.run("hooks", "list", "--format", "tsv", "--fields", "pending").output
    #expect(pending == "\(Self.items)\n")
  }
}

/// A signal ends a backup as it ends other commands, but leaves no half of a store.
@Suite(.blocking) struct `A backup ended by a signal` {
  private let directory = TemporaryDirectory()

  /// The names in a folder; empty if there is none.
  private func names(_ folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  @Test(arguments: [(SIGTERM, false), (SIGINT, false), (SIGTERM, true)])
  func `Nothing of the copy is left, and the next backup is complete`(_ signal: Int32, _ isKept: Bool) throws
  {
    let newsd = Program(in: directory)
    #expect(try newsd.run("ingest", "--feed", "F", input: "{\"id\":\"1\",\"title\":\"One\"}\n").status == 0)
    var database: OpaquePointer?
    try #require(sqlite3_open(directory.path + "/newsd.db", &database) == SQLITE_OK)
    let filler = "CREATE TABLE filler (b); INSERT INTO filler VALUES (zeroblob(200000000))"
    #expect(sqlite3_exec(database, filler, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    let folder = directory.path + "/backups"
    #expect(mkdir(folder, 0o700) == 0)

    let words = isKept ? ["backup", "--keep", "2", folder] : ["backup", folder + "/b.db"]
    func isCopying(_ name: String) -> Bool {
      name.hasSuffix(".partial") && names(folder + "/" + name).contains("store.db")
    }
    var status: Int32 = 0
    // A copy that is done before the test or newsd sees it is made again.
    for _ in 0..<50 where status != 128 + signal {
      let running = try newsd.start(words)
      for _ in 0..<40_000 where !names(folder).contains(where: { isCopying($0) || !$0.hasSuffix(".partial") })
      {
        usleep(500)
      }
      running.send(signal: SIGSTOP)
      let isStopped = names(folder).contains(where: isCopying)
      if isStopped { running.send(signal: signal) }
      running.send(signal: SIGCONT)
      let ended = try running.finish()
      let done = names(folder).filter { !$0.hasSuffix(".partial") }
      for name in done { #expect(unlink(folder + "/" + name) == 0) }
      if isStopped, done.isEmpty { status = ended.status }
    }
    #expect(status == 128 + signal)
    #expect(names(folder) == [])
    #expect(try newsd.run("backup", folder + "/b.db").status == 0)
    #expect(names(folder) == ["b.db"])
  }
}
