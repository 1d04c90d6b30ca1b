import TestSupport
import Testing
import TestServer

/// The steps of a user from a subscription to headlines.
@Suite(.blocking) struct `Journey of a user from a subscription to headlines` {
  private let directory = TemporaryDirectory()
  private let server: TestServer
  private var newsd: Program { Program(in: directory) }

  init() throws {
    server = try TestServer()
    server.on(
      "/feed",
      .ok(Sample.rss(["Alpha beta", "Gamma delta", "Swift kernel"], title: "The &amp; Sample"))
    )
  }

  @Test func `A feed is added with one request, and its items can be listed, shown, searched and marked`()
    throws
  {
    let added = try newsd.run("feeds", "add", server.url("/feed"))
    #expect(added.status == 0, "\(added.errors)")
    #expect(server.requests.count == 1)

    let feeds = try newsd.run("feeds", "--format", "tsv", "--fields", "title,items,unread")
    #expect(feeds.output == "The & Sample\t3\t3\n")

    let list = try newsd.run("list", "--format", "tsv", "--fields", "title,url")
    #expect(list.lines.map { $0.split(separator: "\t")[0] } == ["Alpha beta", "Gamma delta", "Swift kernel"])

    let text = try newsd.run("list", "-n", "2")
    #expect(text.output.contains("Alpha beta"))
    #expect(!text.output.contains("Swift kernel"))

    let ids = try newsd.run("list", "--format", "tsv", "--fields", "id").lines.map(String.init)
    let shown = try newsd.run("show", ids[0])
    #expect(shown.output.contains("Text of Alpha beta with a link"))
    #expect(shown.output.contains("/more"))
    #expect(shown.output.contains("newsd list --feed 1"))

    #expect(
      try newsd.run("search", "kernel", "--format", "tsv", "--fields", "title").output == "Swift kernel\n"
    )
    #expect(try newsd.run("search", "sw", "--count").status == 1)
    #expect(try newsd.run("search", "sw*", "--count").output == "1\n")
    #expect(try newsd.run("search", "text", "-kernel", "--count").output == "2\n")
    #expect(try newsd.run("search", "nothing-like-it").status == 1)
    let history = try newsd.run("search", "--history")
    #expect(history.lines.first == "nothing-like-it")

    #expect(try newsd.run(["mark", "read", "-"], input: ids[0] + "\n").status == 0)
    #expect(try newsd.run("mark", "starred", ids[1]).status == 0)
    #expect(try newsd.run("list", "--unread", "--format", "tsv").lines.count == 2)
    #expect(
      try newsd.run("list", "--starred", "--format", "tsv", "--fields", "title").output == "Gamma delta\n"
    )
    #expect(try newsd.run("mark", "read", "999").status == 66)
  }

  @Test func `list and search --open show an item by its position, and list --chart shows counts per day`()
    throws
  {
    _ = try newsd.run("feeds", "add", server.url("/feed"))
    #expect(try newsd.run("list", "--open", "2").output.contains("Text of Gamma delta"))
    #expect(try newsd.run("search", "kernel", "--open", "1").output.contains("Text of Swift kernel"))
    let beyond = try newsd.run("list", "--open", "9")
    #expect(beyond.status == 64)
    #expect(beyond.errors.contains("1 to 3"))
    #expect(try newsd.run("list", "--chart").output.contains("2026-11-10"))
    #expect(
      try newsd.run("list", "--chart", "--format", "tsv").lines.contains { $0.hasPrefix("2026-11-10\t") }
    )
  }

  @Test func `next shows one unread item after the other; list --before skips none after an item was marked`()
    throws
  {
    _ = try newsd.run("feeds", "add", server.url("/feed"))
    #expect(try newsd.run("next", "--format", "tsv", "--fields", "title").output == "Alpha beta\n")
    let kernel = try newsd.run("next", "-q", "title:kernel").output
    #expect(kernel.contains("Text of Swift kernel"))
    #expect(kernel.contains(", read\n") && !kernel.contains("unread"))
    #expect(try newsd.run("show", "--mark-read", "2", "--format", "ids").output == "2\n")
    let none = try newsd.run("next")
    #expect(none.status == 1 && none.errors == "newsd: no item is unread\n" && none.output.isEmpty)

    #expect(try newsd.run("mark", "unread", "--all").errors == "3 items marked unread\n")
    let first = try newsd.run("list", "--unread", "-n", "1").output
    let command = try #require(first.split(separator: " · next: ").last?.split(separator: "\n").first)
    #expect(command.hasSuffix("list --unread -n 1 --before 3"))
    #expect(try newsd.run("mark", "read", "3").status == 0)
    let words = command.split(separator: " ").dropFirst().map(String.init)
    #expect(try newsd.run(words).output.contains("Gamma delta"))
    #expect(try newsd.run("list", "--open", "id:2").output.contains("Text of Gamma delta"))
    #expect(try newsd.run("list", "--open", "id:77").status == 66)
    #expect(try newsd.run("list", "--before", "77").status == 66)
    #expect(try newsd.run("list", "--before", "2", "--page", "2").status == 64)
  }

  @Test func `Items are marked by feed, folder, time and query, and invalid selections mark none`() throws {
    _ = try newsd.run("feeds", "add", server.url("/feed"), "--folder", "A")
    func unread() throws -> Int { try newsd.run("list", "--unread", "--format", "ids").lines.count }
    for words in [
      ["read"], ["read", ""], ["read", "1", "kernel"], ["read", "1", "--feed", "1"], ["read", "--feed", "x"],
    ] {
      let result = try newsd.run(["mark"] + words)
      #expect([64, 66].contains(result.status), "\(words): \(result.errors)")
    }
    #expect(try unread() == 3)
    #expect(try newsd.run("mark", "read", "title:kernel").errors == "1 item marked read\n")
    #expect(
      try newsd.run("mark", "read", "--folder", "A", "--until", "2026-11-10 08:59").errors
        == "1 item marked read\n"
    )
    #expect(try newsd.run("mark", "read", "--feed", "1").errors == "1 item marked read\n")
    #expect(try unread() == 0)
    #expect(try newsd.run("mark", "read", "-", input: "").status == 0)
  }

  @Test func `A cursor selects the items stored since the last run, and is saved after the output`() throws {
    _ = try newsd.run("feeds", "add", server.url("/feed"))
    let cursor = directory.path + "/cursor"
    let words = ["search", "kernel OR late", "--cursor", cursor, "--format", "tsv", "--fields", "title"]
    #expect(try newsd.run(words).output == "Swift kernel\n")
    let again = try newsd.run(words)
    #expect(again.status == 1 && again.output.isEmpty)
    let late = #"{"id":"1","title":"late","date_published":"2020-01-01T00:00:00Z"}"#
    #expect(try newsd.run("ingest", "--feed", "T", input: late).status == 0)
    #expect(try newsd.run("mark", "read", "--all").status == 0)
    let full = try newsd.run(
      program: "sh",
      ["-c", "'\(Program.path)' list --cursor '\(cursor)' --format ids > /dev/full"]
    )
    #expect(full.status == 74)
    #expect(try newsd.run(words).output == "late\n")
    #expect(try newsd.run(words).status == 1)
    #expect(
      try newsd.run("list", "--stored-since", "1h", "--until", "2021", "--format", "ids").lines.count == 1
    )
    #expect(try newsd.run("search", "late stored:1h", "--count").output == "1\n")
  }

  @Test func `An item's page is opened in the browser, without a shell`() throws {
    _ = try newsd.run("feeds", "add", server.url("/feed"))
    let url = try #require(try newsd.run("show", "3", "--format", "tsv", "--fields", "url").lines.first)
    try directory.writeScript("printf '%s|' \"$@\" >> '\(directory.path)/opened'\n", to: "browser")
    let reader = Program(in: directory, environment: ["BROWSER": "\(directory.path)/browser --new"])
    #expect(try reader.run("open", "3", "--mark-read").status == 0)
    #expect(try newsd.run(program: "cat", [directory.path + "/opened"]).output == "--new|\(url)|")
    #expect(try newsd.run("list", "--unread", "--format", "ids").lines.count == 2)
    let bad = #"{"id":"1","title":"t","url":"javascript:alert(1)"}"#
    #expect(try newsd.run("ingest", "--feed", "T", input: bad).status == 0)
    #expect(try reader.run("open", "4").status == 66)
    let missing = Program(in: directory, environment: ["BROWSER": "no-such-browser"])
    #expect(try missing.run("open", "3").errors.contains("set BROWSER"))
  }

  @Test func `A second fetch is conditional and changes nothing`() throws {
    server.on(
      "/tagged",
      .ok(Sample.rss(["One"]), headers: [("ETag", "\"v1\"")]),
      .status(304)
    )
    _ = try newsd.run("feeds", "add", server.url("/tagged"))
    let fetch = try newsd.run("fetch")
    #expect(fetch.status == 0)
    #expect(server.requests(to: "/tagged").map { $0.header("If-None-Match") } == [nil, "\"v1\""])
    #expect(try newsd.run("list", "--format", "tsv").lines.count == 1)
  }

  @Test func `fetch exits with 75 if some feeds failed, with 69 if all did, and names the failed feed`()
    throws
  {
    server.on("/good", .ok(Sample.rss(["One"])), .ok(Sample.rss(["One", "Two"])))
    _ = try newsd.run("feeds", "add", server.url("/good"))
    server.on("/broken", .ok(Sample.rss(["Was fine"], title: "Broken")), .status(500))
    _ = try newsd.run("feeds", "add", server.url("/broken"))
    let fetch = try newsd.run("fetch")
    #expect(fetch.status == 75)
    #expect(fetch.errors.contains("Broken"))
    #expect(fetch.errors.contains("500"))
    // The good feed was fetched all the same.
    let titles = try newsd.run("list", "--feed", "1", "--format", "tsv", "--fields", "title").lines
    #expect(titles == ["One", "Two"])
    #expect(try newsd.run("fetch", "Broken").status == 69)
    let quiet = try newsd.run("fetch", "-q", "Broken")
    #expect(quiet.status == 69 && quiet.output == "")
    #expect(
      quiet.errors.hasPrefix("newsd: 1 of 1 feed failed") && quiet.errors.split(separator: "\n").count == 1
    )
  }

  @Test func `Subscriptions keep order, titles and folders, also through an export as OPML`() throws {
    for name in ["a", "b", "c"] {
      server.on("/\(name)", .ok(Sample.rss(["Item of \(name)"], title: "Feed \(name)")))
      _ = try newsd.run("feeds", "add", server.url("/\(name)"))
    }
    #expect(try newsd.run("feeds", "move", "Feed c", "--to", "1").status == 0)
    #expect(try newsd.run("feeds", "rename", "Feed a", "First & <best>").status == 0)
    #expect(try newsd.run("feeds", "move", "Feed b", "--folder", "News/Europe").status == 0)
    let columns = ["feeds", "--format", "tsv", "--fields", "title,folder"]
    let expected = "Feed c\t\nFirst & <best>\t\nFeed b\tNews/Europe\n"
    #expect(try newsd.run(columns).output == expected)

    let opml = try newsd.run("feeds", "export").output
    let other = Program(in: directory, environment: ["NEWSD_DB": directory.path + "/other.db"])
    #expect(try other.run(["feeds", "import", "-"], input: opml).status == 0)
    #expect(try other.run(columns).output == expected)
    #expect(try other.run(["feeds", "import", "-"], input: opml).errors.contains("3 were there already"))

    let duplicate = try newsd.run("feeds", "add", server.url("/a"))
    #expect(duplicate.status == 65)
    #expect(duplicate.errors.contains("First & <best>"))
    #expect(try newsd.run("feeds", "moves", "--format", "json").output == "[]\n")
    #expect(try newsd.run("check", "--format", "json").output == "[]\n")
    #expect(try newsd.run("prune", "--dry-run", "--format", "colours").status == 64)
    for part in ["eed b", "12"] {
      let refused = try newsd.run("feeds", "remove", part)
      #expect(refused.status == (part == "12" ? 66 : 64), "\(refused.errors)")
    }
    #expect(try newsd.run("list", "--folder", "News").status == 0)
    #expect(try newsd.run("list", "--folder", "Nowhere").status == 66)
    #expect(try newsd.run("feeds", "remove", "feed B").status == 0)
    #expect(try newsd.run("list", "--format", "tsv", "--fields", "title").lines.count == 2)
  }

  @Test func `A page's feed is discovered; of several feeds the user picks one`() throws {
    func page(_ links: String) -> Reply {
      .ok(
        "<html><head><title>P</title>\(links)</head><body>Hello</body></html>",
        headers: [("Content-Type", "text/html")]
      )
    }
    let link = { (path: String) in
      #"<link rel="alternate" type="application/rss+xml" title="T" href="\#(path)">"#
    }
    server.on("/one", page(link("/feed")))
    server.on("/second", .ok(Sample.rss(["Other"], title: "Second")))
    server.on("/two", page(link("/feed") + link("/second")))
    let one = try newsd.run("feeds", "add", server.url("/one"))
    #expect(one.status == 0, "\(one.errors)")
    #expect(server.requests.count == 2)
    let two = try newsd.run("feeds", "add", server.url("/two"))
    #expect(two.status == 65)
    #expect(two.errors.contains("/second"))
    #expect(try newsd.run("feeds", "add", server.url("/two"), "--pick", "2").status == 0)
    #expect(try newsd.run("feeds", "--format", "tsv", "--fields", "title").output == "The & Sample\nSecond\n")
  }

  @Test func `A file URL is a feed if the user types it, but not if a list contains it`() throws {
    let path = directory.write(Sample.rss(["From a file"]), to: "local.xml")
    #expect(try newsd.run("feeds", "add", "file://\(path)").status == 0)
    #expect(try newsd.run("list", "--format", "tsv", "--fields", "title").output == "From a file\n")
    let list = directory.write(
      #"<opml version="2.0"><body><outline text="x" xmlUrl="file:///etc/passwd"/></body></opml>"#,
      to: "list.opml"
    )
    let imported = try newsd.run("feeds", "import", list)
    #expect(imported.errors.contains("file:///etc/passwd"))
    #expect(try newsd.run("feeds", "--format", "tsv").lines.count == 1)
  }
}

@Suite(.blocking) struct `Feed settings` {
  private let directory = TemporaryDirectory()

  @Test func `A feed gets another URL and keeps its items`() throws {
    let server = try TestServer()
    server.on("/old", .ok(Sample.rss(["One"], title: "Moving"), headers: [("ETag", "\"old\"")]), .status(404))
    server.on("/new", .ok(Sample.rss(["One", "Two"], title: "Moving")))
    server.on("/other", .ok(Sample.rss(["Three"], title: "Other")))
    let newsd = Program(in: directory)
    for path in ["/old", "/other"] { #expect(try newsd.run("feeds", "add", server.url(path)).status == 0) }
    #expect(try newsd.run("fetch", "1").status == 69)
    let failing = try newsd.run("status", "--failing").output
    #expect(failing.hasPrefix("1  Moving: failed once") && failing.contains("'newsd feeds set 1 url=URL'"))

    let taken = try newsd.run("feeds", "set", "1", "url=\(server.url("/other"))")
    #expect(taken.status == 65 && taken.errors.contains("feed 2"), "\(taken.errors)")
    #expect(try newsd.run("feeds", "set", "1", "url=nonsense:x").status == 64)
    #expect(try newsd.run("feeds", "set", "1", "url=\(server.url("/new"))", "timeout=x").status == 64)
    #expect(try newsd.run("feeds", "set", "1", "url=\(server.url("/new"))", "timeout=30s").status == 0)
    #expect(try newsd.run("fetch", "--due").status == 0)
    #expect(server.requests(to: "/new").first?.header("If-None-Match") == nil)
    let feeds = try newsd.run("feeds", "list", "--format", "tsv", "--fields", "id,url,items,failures")
    #expect(feeds.lines.first == "1\t\(server.url("/new"))\t2\t0")
    #expect(try newsd.run("feeds", "set", "1").output == "timeout=30s\n")
  }

  @Test func `The settings of a feed affect its requests, and secrets are stored by reference only`() throws {
    let server = try TestServer()
    server.on("/private", .ok(Sample.rss(["One"], title: "Private")))
    let newsd = Program(in: directory, environment: ["FEED_LOGIN": "alice:secret"])
    let added = try newsd.run(
      "feeds",
      "add",
      server.url("/private"),
      "--set",
      "user-agent=tester/1",
      "--set",
      "header=X-Team: blue",
      "--set",
      "credential=env:FEED_LOGIN"
    )
    #expect(added.status == 0, "\(added.errors)")
    let request = try #require(server.requests(to: "/private").first)
    #expect(request.header("User-Agent") == "tester/1")
    #expect(request.header("X-Team") == "blue")
    #expect(request.header("Authorization") == "Basic YWxpY2U6c2VjcmV0")

    #expect(try newsd.run("feeds", "set", "Private", "timeout=30s", "user-agent=").status == 0)
    let shown = try newsd.run("feeds", "set", "Private").output
    #expect(shown == "header=X-Team: …\ncredential=env:FEED_LOGIN\ntimeout=30s\n")
    let wrong = try newsd.run("feeds", "set", "Private", "timeot=3s")
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("did you mean 'timeout'?"))
    #expect(try newsd.run("feeds", "set", "Private", "credential=alice:secret").status == 64)
  }
}
