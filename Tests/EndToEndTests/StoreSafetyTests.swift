import Glibc
import TestSupport
import Testing

@Suite(.blocking) struct `Importing and restoring` {
  /// An export with one feed, whose members are `feed`, and one item.
  private func export(_ feed: String, item: String) -> String {
    var lines = [#"{"type":"newsd","schema":1}"#]
    for name in ["feed", "item", "sequence", "feedList"] {
      lines.append(#"{"type":"counter","name":"\#(name)","value":9}"#)
    }
    for name in ["items", "unread"] { lines.append(#"{"type":"counter","name":"\#(name)","value":1}"#) }
    lines.append(#"{"type":"counter","name":"starred","value":0}"#)
    lines.append(#"{"type":"feed",\#(feed),"position":1,"items":1,"unread":1,"added":1}"#)
    lines.append(#"{"type":"item","id":1,"feed":1,"sequence":1,"stored":1,"title":"T","text":"t",\#(item)}"#)
    return lines.joined(separator: "\n") + "\n"
  }

  @Test(arguments: [#""x":1,"#, #""id":"1","#, #""id":1,"#, ""])
  func `An untrusted export runs no program`(_ id: String) throws {
    let directory = TemporaryDirectory()
    let newsd = Program(in: directory)
    let trap = directory.path + "/trap"
    let feed = #"\#(id)"url":"exec:touch \#(trap)","settings":"{\"allowsLocalOrigin\":true}""#
    let file = directory.write(export(feed, item: #""guid":"a""#), to: "export.jsonl")
    let result = try newsd.run("import", file)
    #expect(result.status == (id == #""id":1,"# ? 0 : 65), "\(result.errors)")
    _ = try newsd.run("fetch")
    #expect(access(trap, F_OK) != 0)
  }

  @Test func `HTML and URLs of an untrusted export are sanitized`() throws {
    let directory = TemporaryDirectory()
    let newsd = Program(in: directory)
    let html = #"<p onclick='x()'>seen</p><script>alert(1)</script><a href='javascript:alert(2)'>go</a>"#
    let item =
      #""url":"javascript:alert(3)","html":"\#(html)","details":{"comments":"vbscript:x","image":"data:x"}"#
    let file = directory.write(export(#""id":1,"url":"http://e.example/""#, item: item), to: "export.jsonl")
    #expect(try newsd.run("import", file).status == 0)
    for format in ["html", "atom", "jsonl", "rss", "json"] {
      let output = try newsd.run("list", "--format", format).output
      #expect(output.contains("T"))
      for word in ["script:", "onclick", "alert(1)", "data:x"] {
        #expect(!output.contains(word), "\(format) has \(word)")
      }
    }
  }

  /// Root may write anywhere, so the program runs as another user then.
  private func unprivileged(_ newsd: Program, _ words: [String]) throws -> Program.Result {
    guard geteuid() == 0 else { return try newsd.run(words) }
    let drop = ["--reuid=65534", "--regid=65534", "--clear-groups", Program.path]
    return try newsd.run(program: "setpriv", drop + words)
  }

  @Test(arguments: [false, true])
  func `A store that may not be written is refused with the right, the place and both users`(_ exists: Bool)
    throws
  {
    let directory = TemporaryDirectory()
    let newsd = Program(in: directory)
    if exists { #expect(try newsd.run("ingest", "--feed", "T", input: "{\"id\":\"1\"}\n").status == 0) }
    let list = directory.write("http://example.org/feed\n", to: "urls")
    chmod(directory.path, 0o555)
    defer { chmod(directory.path, 0o700) }
    let result = try unprivileged(newsd, ["feeds", "import", list])
    #expect(result.status == 74)
    let user = geteuid() == 0 ? 65534 : geteuid()
    for part in ["uid \(user)", "uid \(geteuid())", directory.path, "555"] {
      #expect(result.errors.contains(part), "\(result.errors)")
    }
    #expect(!result.errors.contains("No such file"))
  }

  @Test func `A password file that cannot be read is named with the reason and the user`() throws {
    let directory = TemporaryDirectory()
    let file = directory.path + "/no-such-password"
    let newsd = Program(
      in: directory,
      environment: ["NEWSD_WEB_LISTEN": "127.0.0.1:0", "NEWSD_WEB_PASSWORD_FILE": file]
    )
    let result = try newsd.run("run")
    #expect(result.status == 78)
    for part in ["web.password_file", file, "No such file or directory", "uid \(geteuid())"] {
      #expect(result.errors.contains(part), "\(result.errors)")
    }
  }

  @Test func `A restore replaces the store with a backup and reports the result`() throws {
    let directory = TemporaryDirectory()
    let newsd = Program(in: directory)
    #expect(try newsd.run("ingest", "--feed", "T", input: "{\"id\":\"1\",\"title\":\"one\"}\n").status == 0)
    let backup = directory.path + "/backup.db"
    #expect(try newsd.run("backup", backup).status == 0)
    #expect(try newsd.run("ingest", "--feed", "T", input: "{\"id\":\"2\",\"title\":\"two\"}\n").status == 0)
    let restored = try newsd.run("restore", backup)
    #expect(restored.status == 0)
    #expect(restored.errors.contains("1 item"))
    #expect(try newsd.run("list", "--format", "tsv", "--fields", "title").lines == ["one"])
    #expect(try newsd.run("compact").status == 0)
    #expect(try newsd.run("check").status == 0)
    let file = directory.write("not a store", to: "other.db")
    #expect(try newsd.run("restore", file).status == 74)
    #expect(try newsd.run("restore", directory.path + "/none.db").status == 66)
    #expect(try newsd.run("list", "--format", "tsv", "--fields", "title").lines == ["one"])
  }

  @Test(arguments: [".claims", ".media"], [false, true])
  func `No command makes an empty store beside what is left of a former one`(_ left: String, _ isEmpty: Bool)
    throws
  {
    let directory = TemporaryDirectory()
    let newsd = Program(in: directory)
    let line = "{\"id\":\"1\",\"title\":\"one\"}\n"
    #expect(try newsd.run("ingest", "--feed", "T", input: line).status == 0)
    let backup = directory.path + "/backup.db"
    #expect(try newsd.run("backup", backup).status == 0)
    let store = directory.path + "/newsd.db"
    for name in ["", "-wal", "-shm", ".claims", ".media", ".media-wal", ".media-shm"] { unlink(store + name) }
    if isEmpty { _ = directory.write("", to: "newsd.db") }
    _ = directory.write("left", to: "newsd.db" + left)
    for words in [
      ["fetch"], ["ingest", "--feed", "T"], ["feeds", "add", "http://127.0.0.1:1/feed"],
      ["web", "apps", "add", "phone"], ["run"],
    ] {
      let result = try newsd.run(words, input: line)
      #expect(result.status == 74, "\(words): \(result.errors)")
      #expect(result.errors.contains("\(store)\(left) of a former one; mount its volume"), "\(result.errors)")
    }
    var status = stat()
    #expect(stat(store, &status) == (isEmpty ? 0 : -1) && status.st_size == 0)
    let restored = try newsd.run("restore", backup)
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(try newsd.run("list", "--format", "tsv", "--fields", "title").lines == ["one"])
  }

  @Test(arguments: ["postgresql://u:SECRET@h/news", "Postgres://u:SECRET@h/news"])
  func `backup and restore refuse the URL of a PostgreSQL server, and the error hides its password`(
    _ address: String
  ) throws {
    let directory = TemporaryDirectory()
    let newsd = Program(in: directory)
    #expect(try newsd.run("ingest", "--feed", "T", input: "{\"id\":\"1\",\"title\":\"one\"}\n").status == 0)
    for command in ["backup", "restore"] {
      let result = try newsd.run(command, address)
      #expect(result.status == 64)
      #expect(result.errors.contains("newsd copy"))
      #expect(!result.errors.contains("SECRET"))
    }
  }

  @Test(arguments: ["Postgresql://u:SECRET@h/news", "host=h user=u password=SECRET", "u:SECRET@h"])
  func `No store is created at a path that looks like the address of a server`(_ address: String) throws {
    let directory = TemporaryDirectory()
    let newsd = Program(in: directory, environment: ["NEWSD_DB": address])
    for arguments in [["feeds", "add", "http://127.0.0.1:1/feed"], ["list"], ["status"]] {
      let result = try newsd.run(arguments)
      #expect(result.status == 74)
      #expect(result.errors.contains("postgresql://"))
      #expect(!(result.output + result.errors).contains("SECRET"))
    }
    #expect(access(address, F_OK) != 0)
  }

  @Test func `Combining marks beside the operators of a query do not change its matches`() throws {
    let directory = TemporaryDirectory()
    let newsd = Program(in: directory)
    #expect(
      try newsd.run("ingest", "--feed", "T", input: "{\"id\":\"1\",\"title\":\"one foo\"}\n").status == 0
    )
    // The last query has no word, so it matches nothing.
    let cases: [(query: String, status: Int32)] = [
      ("\u{600}\"foo", 0), ("\"\u{301}foo", 0), ("foo\u{301}\" OR one", 0), ("two OR \u{600}\"one", 0),
      ("\u{600}\"two", 1), ("\u{600}\" OR \u{600}\"", 1),
    ]
    for (query, status) in cases {
      #expect(try newsd.run("search", query).status == status, "\(query.unicodeScalars.map(\.value))")
    }
  }
}
