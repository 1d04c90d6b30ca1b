import Testing
import TestServer

/// From a subscription to headlines, as a user goes.
@Suite struct Journey {
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

  @Test func `Lists and searches route to the item they show`() throws {
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

  @Test func `One failing feed does not fail the others`() throws {
    _ = try newsd.run("feeds", "add", server.url("/feed"))
    server.on("/broken", .ok(Sample.rss(["Was fine"], title: "Broken")), .status(500))
    _ = try newsd.run("feeds", "add", server.url("/broken"))
    let fetch = try newsd.run("fetch")
    #expect(fetch.status == 75)
    #expect(fetch.errors.contains("Broken"))
    #expect(fetch.errors.contains("500"))
    #expect(try newsd.run("fetch", "Broken").status == 69)
  }

  @Test func `Subscriptions keep the user's order, titles and folders, and go out and in as OPML`() throws {
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

  @Test func `A page's feed is found; with several the user picks`() throws {
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

  @Test func `A file is a feed when the user types it, never when a list says so`() throws {
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

@Suite struct `Feed settings` {
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

  @Test func `What is set for one feed goes on the wire, secrets only by reference`() throws {
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
