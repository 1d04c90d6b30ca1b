import Glibc
import TestSupport
import Testing
import TestServer

@Suite(.blocking) struct `Bad input` {
  private let directory = TemporaryDirectory()
  private var newsd: Program { Program(in: directory) }

  @Test(arguments: [
    (["feeds", "add", "gopher://example.org/"], 64 as Int32, "gopher"),
    (["list", "--since", "yesterdayish"], 64, "--since"),
    (["list", "--format", "jsn"], 64, "json"),
    (["list", "--format", "tsv", "--fields", "titel"], 64, "title"),
    (["list", "--feed", "nowhere"], 66, "nowhere"),
    (["show", "12"], 66, "12"),
    (["show", "twelve"], 64, "twelve"),
    (["search"], 64, "QUERY"),
    (["search", "flavour:sweet"], 64, "flavour"),
    (["parse", "/nonexistent/feed.xml"], 66, "/nonexistent/feed.xml"),
    (["feeds", "remove", "7"], 66, "7"),
    (["--config", "/nonexistent.yaml", "list"], 78, "/nonexistent.yaml"),
    (["mark", "red", "1"], 64, "did you mean 'read'?"),
    (["mark", "read", "http://example.org/1"], 64, "url:WORD"),
    (["list", "linux"], 64, "newsd search linux"),
    (["list", "--since", "1d", "--since", "2d"], 64, "--since is given more than once"),
    (["search", ""], 64, "QUERY"),
    (["status", "--plan", "1h", "--failing"], 64, "--failing has no effect with --plan"),
    (["list", "--fields", "title"], 64, "--fields has no effect on the text format"),
    (["backup", "-"], 64, "'newsd export --all'"), (["backup", "--keep", "2", "-"], 64, "not streams"),
    (["restore", "-"], 64, "'newsd import -'"), (["copy", "news.db", "-"], 64, "copy takes files"),
  ])
  func `Invalid input gives one line of error and the documented status`(
    _ arguments: [String],
    _ status: Int32,
    _ named: String
  ) throws {
    // Create an empty store.
    #expect(try newsd.run("fetch").status == 0)
    let result = try newsd.run(arguments)
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.contains(named), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(result.output.isEmpty)
  }

  @Test func `A file that belongs to another command is rejected, and the error names that command`()
    throws
  {
    let list = "<?xml version='1.0'?><opml version='2.0'><body/></opml>"
    let urls = "https://example.org/feed \"~Example\"\n"
    for (name, text) in [("list.opml", list), ("urls", urls)] {
      directory.write(text, to: name)
      let result = try newsd.run("import", directory.path + "/" + name)
      #expect(result.status == 65)
      #expect(result.errors.contains("'newsd feeds import \(directory.path)/\(name)'"), "\(result.errors)")
    }
    let feed = Sample.rss(["One"])
    for text in [feed, "<!-- <opml> -->\n" + feed.replacing("\n", with: "")] {
      directory.write(text, to: "feed.xml")
      let result = try newsd.run("import", directory.path + "/feed.xml")
      #expect(result.status == 65)
      #expect(
        result.errors.contains("is a feed; 'newsd feeds add \(directory.path)/feed.xml'"),
        "\(result.errors)"
      )
    }
    for (name, text) in [("cache.db", "SQLite format 3\0rest"), ("news.jsonl", "{\"newsd\":1}\n")] {
      directory.write(text, to: name)
      let result = try newsd.run("feeds", "import", directory.path + "/" + name)
      #expect(result.status == 65)
      #expect(result.errors.contains("'newsd import \(directory.path)/\(name)'"), "\(result.errors)")
    }
    #expect(access(directory.path + "/newsd.db", F_OK) != 0)
  }

  @Test func `A missing directory of the store is created`() throws {
    let deep = Program(in: directory, environment: ["NEWSD_DB": directory.path + "/a/b/c.db"])
    #expect(try deep.run("fetch").status == 0)
    #expect(access(directory.path + "/a/b", F_OK) == 0)
  }

  @Test(arguments: [
    ["list"], ["show", "1"], ["search", "x"], ["mark", "read", "1"], ["follow"], ["changes"], ["status"],
    ["feeds"], ["feeds", "remove", "1"], ["feeds", "export"], ["rules"], ["prune"], ["check"],
    ["export", "--all"], ["backup", "copy.db"],
  ])
  func `A command that reads a missing store fails and does not create it`(_ arguments: [String]) throws {
    let path = directory.path + "/typo/x.db"
    let result = try newsd.run(["--db", path] + arguments)
    #expect(result.status == 66)
    #expect(result.errors.contains(path) && result.errors.contains("newsd feeds add"))
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(access(directory.path + "/typo", F_OK) != 0)
  }

  @Test func `A list without subscriptions explains how to subscribe`() throws {
    #expect(try newsd.run("fetch").status == 0)
    let result = try newsd.run("list")
    #expect(result.status == 1)
    #expect(result.errors.contains("newsd feeds add"))
    #expect(try newsd.run("list", "-q").errors.isEmpty)
  }

  @Test func `The largest integer is accepted as a limit`() throws {
    let titles = (1...30).map { "Item \($0)" }
    let path = directory.write(Sample.rss(titles), to: "many.xml")
    #expect(try newsd.run("feeds", "add", "file://\(path)").status == 0)
    let other = directory.write(Sample.rss(["Other"]), to: "other.xml")
    #expect(try newsd.run("feeds", "add", "file://\(other)", "--folder", "F").status == 0)
    let most = "\(Int.max)"
    for arguments in [
      ["list", "-n", most], ["list", "-n", most, "--format", "tsv"], ["search", "item", "-n", most],
      ["list", "-n", most, "--folder", "F"], ["search", "--history", "-n", most],
      ["list", "-n", most, "--cluster"], ["changes", "--after", "0", "-n", most],
    ] {
      let result = try newsd.run(arguments)
      #expect(result.status == 0, "\(arguments): \(result.errors)")
    }
    #expect(try newsd.run("list", "-n", most, "--format", "ids").lines.count == 31)
    for arguments in [
      ["list", "-n", most, "--page", "1000000000"], ["search", "item", "-n", most, "--page", "1000000000"],
    ] {
      #expect(try newsd.run(arguments).status == 1)
    }
    #expect(try newsd.run("list", "--page", most).status == 64)
    #expect(try newsd.run("list", "--open", most).status == 64)
    #expect(try newsd.run("changes", "--after", most).status == 0)
    #expect(try newsd.run("feeds", "move", "1", "--to", most).status == 0)
  }

  @Test func `Of a truncated OPML list, the complete feeds are imported, and the exit status is 65`() throws {
    let list = "<opml><body><outline xmlUrl='https://a.example/'/><outline xmlUrl='https://b.exa"
    let result = try newsd.run("feeds", "import", directory.write(list, to: "list.opml"))
    #expect(result.status == 65)
    #expect(result.errors.contains("truncated"))
    #expect(try newsd.run("feeds", "list").output.contains("https://a.example/"))
  }

  @Test func `A file that is not a store is rejected and not changed`() throws {
    let text = String(repeating: "not a database\n", count: 100)
    let path = directory.write(text, to: "newsd.db")
    for arguments in [["list"], ["fetch"], ["search", "x"]] {
      let result = try newsd.run(arguments)
      #expect(result.status == 74, "\(arguments): \(result.errors)")
      #expect(result.errors.contains(path))
    }
    #expect(try newsd.run("parse", path).status == 65)
    #expect(try newsd.run(program: "cat", [path]).output == text)
  }

  @Test func `A file that is not an export is rejected with status 65, and nothing is imported`() throws {
    let path = directory.write("not an export\n", to: "export.jsonl")
    let result = try newsd.run("import", path)
    #expect(result.status == 65)
    #expect(result.errors.contains(path))
    #expect(try newsd.run("feeds", "--format", "tsv").output.isEmpty)
  }

  @Test func `The error for an HTML page says that it is HTML`() throws {
    let page = directory.write("<!DOCTYPE html><html><body>Hi</body></html>", to: "page.html")
    let result = try newsd.run("parse", page)
    #expect(result.status == 65)
    #expect(result.errors.contains("HTML"))
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test func `An export that is refused after its first line leaves no store`() throws {
    let head = #"{"type":"newsd","schema":1}"#
    let feed =
      #"{"type":"feed","id":1,"url":"http://e.example/","position":1,"items":0,"unread":0,"added":1}"#
    for rest in ["{\"type\":\"unknown\"}", feed, feed + "\nno JSON"] {
      let file = directory.write(head + "\n" + rest + "\n", to: "part.jsonl")
      let result = try newsd.run("import", file)
      #expect(result.status == 65, "\(result.errors)")
      for end in ["", "-wal", "-shm"] {
        #expect(access(directory.path + "/newsd.db" + end, F_OK) != 0, "\(rest)")
      }
    }
    // An existing store stays.
    #expect(try newsd.run("rules", "add", "linux", "--do", "star").status == 0)
    let file = directory.write(head + "\n{}\n", to: "part.jsonl")
    #expect(try newsd.run("import", file).status == 65)
    #expect(try newsd.run("rules").lines.count == 1)
  }

  @Test func `A setting of a feed given twice is refused, except headers`() throws {
    let file = directory.write(Sample.rss(["One"]), to: "feed.xml")
    #expect(try newsd.run("feeds", "add", file).status == 0)
    let twice = try newsd.run("feeds", "set", "1", "timeout=3s", "timeout=4s")
    #expect(twice.status == 64)
    #expect(twice.errors.contains("timeout is given more than once"), "\(twice.errors)")
    #expect(try newsd.run("feeds", "set", "1").output.isEmpty)
    #expect(try newsd.run("feeds", "set", "1", "header=A: 1", "header=B: 2").status == 0)
  }

  @Test func `No text of a feed can control the terminal`() throws {
    let hostile = "&#27;[31mred\u{9B}2J&#x202E;evil\u{202D}&#7; &amp;#27;]0;pwned&amp;#7;"
    let path = directory.write(
      Sample.rss([hostile], title: "Evil \u{9D}title").split(separator: "&#27;").joined(
        separator: "\u{FFFD}"
      ),
      to: "evil.xml"
    )
    let json = directory.write(
      #"{"version":"https://jsonfeed.org/version/1.1","title":"E\u001b[2Jvil","items":[{"id":"1","#
        + #""title":"a\u001b]0;x\u0007b\u009bc\u202ed\u0000e\r\nf","content_text":"\u001b[1mbold\u0008\u009d"}]}"#,
      to: "evil.json"
    )
    for file in [path, json] { #expect(try newsd.run("feeds", "add", "file://\(file)").status == 0) }
    let ids = try newsd.run("list", "--format", "tsv", "--fields", "id").lines.map(String.init)
    #expect(ids.count == 2)
    var outputs = [
      try newsd.run("list").output, try newsd.run("feeds").output, try newsd.run("search", "e*").output,
    ]
    for id in ids { outputs.append(try newsd.run("show", id).output) }
    for output in outputs {
      let bad = output.unicodeScalars.filter { scalar in
        scalar.value < 0x20 && scalar != "\n" || (0x7F...0x9F).contains(scalar.value)
          || (0x202A...0x202E).contains(scalar.value)
      }
      #expect(bad.isEmpty, "\(output.debugDescription)")
    }
  }

  @Test func `A closed pipe ends the program silently`() throws {
    let titles = (0..<300).map { "Item number \($0)" }
    let path = directory.write(Sample.rss(titles.map { $0 }), to: "many.xml")
    #expect(try newsd.run("feeds", "add", "file://\(path)").status == 0)
    for format in ["text", "tsv", "csv", "json", "jsonl"] {
      let running = try newsd.start(["list", "-n", "0", "--format", format])
      running.closeOutput()
      let result = try running.finish()
      #expect(
        result.status == 0 || result.status == 128 + SIGPIPE,
        "\(format): \(result.status) \(result.errors)"
      )
      #expect(result.errors.isEmpty, "\(format): \(result.errors)")
    }
  }
}
