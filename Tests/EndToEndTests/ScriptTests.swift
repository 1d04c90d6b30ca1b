import Glibc
import TestSupport
import Testing

/// Programs that write items for newsd, and programs that newsd runs for items.
@Suite(.blocking) struct `Scripts` {
  @Test func `Invalid lines are reported, and the other lines are stored`() throws {
    let directory = TemporaryDirectory()
    let newsd = Program(in: directory)
    let result = try newsd.run(
      "ingest",
      "--feed",
      "T",
      input:
        "\u{FEFF}{\"id\":\"a\",\"title\":\"1\"}\n{\"id\":\"b\",\"title\":\n\n{\"id\":\"c\",\"title\":\"3\"}\noops\n"
    )
    #expect(result.status == 65)
    #expect(result.errors.contains("line 2: the JSON ends where a value is expected"))
    #expect(result.errors.contains("line 5: neither a JSON object nor a line of an sfeed file"))
    #expect(result.errors.contains("2 new, 0 changed, 0 were stored before"))
    #expect(try newsd.run("list", "--format", "tsv", "--fields", "guid,feed").lines == ["c\tT", "a\tT"])
    #expect(try newsd.run("ingest", "--feed", "T", input: "").status == 0)
  }

  @Test func `ingest reads newsd's own formats, and an edit updates an item`() throws {
    let directory = TemporaryDirectory()
    let newsd = Program(in: directory)
    let lines =
      #"{"id":"a","title":"A <b> &amp; 1"}"# + "\n" + #"{"id":"b","title":"B","url":"https://example.org/b"}"#
    #expect(try newsd.run("ingest", "--feed", "T", input: lines).status == 0)
    #expect(try newsd.run("mark", "starred", "1").status == 0)
    let fields = ["--fields", "guid,title,url,content_text,is_starred"]
    func shown(in feed: String) throws -> [Substring] {
      try newsd.run(["list", "--feed", feed, "--format", "jsonl"] + fields).lines.sorted()
    }
    let before = try shown(in: "T")
    #expect(before.count == 2)
    for format in ["jsonl", "json", "sfeed", "jsonfeed", "atom", "rss"] {
      let text = try newsd.run("list", "--feed", "T", "--format", format).output
      let copy = try newsd.run("ingest", "--feed", "copy " + format, input: text)
      #expect(copy.errors.contains("2 new"), "\(format): \(copy.errors)")
      guard format.hasPrefix("json"), format != "jsonfeed" else { continue }
      #expect(try shown(in: "copy " + format) == before)
    }
    let edit = try newsd.run("ingest", "--feed", "t", input: #"{"id":"b","title":"B two"}"#)
    #expect(edit.errors.contains("0 new, 1 changed, 0 were stored before"))
    // Part of a title does not select an existing feed.
    #expect(try newsd.run("ingest", "--feed", "cop", input: #"{"id":"n"}"#).status == 0)
    #expect(try newsd.run("feeds", "list", "--format", "tsv", "--fields", "title").lines.last == "cop")
    let fetch = try newsd.run("fetch", "cop")
    #expect(fetch.status == 64)
    #expect(fetch.errors.hasPrefix("newsd: there is nothing to fetch for 'cop'; 'newsd ingest' fills it"))
  }

  @Test func `Rules apply to the items of scripts`() throws {
    let directory = TemporaryDirectory()
    let newsd = Program(in: directory)
    #expect(try newsd.run("rules", "add", "title:noise", "--do", "drop").status == 0)
    let lines = "{\"id\":\"a\",\"title\":\"some noise\"}\n{\"id\":\"b\",\"title\":\"music\"}\n"
    #expect(try newsd.run("ingest", "--feed", "T", input: lines).status == 0)
    #expect(try newsd.run("list", "--format", "tsv", "--fields", "title").lines == ["music"])
  }

  @Test func `An exec URL is a feed if the user types it, but not if it was imported`() throws {
    let directory = TemporaryDirectory()
    let newsd = Program(in: directory)
    directory.write("{\"id\":\"a\",\"title\":\"from a script\"}\n", to: "items")
    #expect(try newsd.run("feeds", "add", "exec:cat '\(directory.path)/items'").status == 0)
    #expect(try newsd.run("list", "--format", "tsv", "--fields", "title").lines == ["from a script"])
    directory.write("{\"id\":\"b\",\"title\":\"later\"}\n", to: "items")
    #expect(try newsd.run("fetch").status == 0)
    #expect(try newsd.run("list", "--format", "ids").lines.count == 2)

    let trap = directory.path + "/trap"
    directory.write("\"exec:touch \(trap)\"\n", to: "urls")
    let opml = "<opml version='2.0'><body><outline text='x' xmlUrl='exec:touch \(trap)'/></body></opml>"
    directory.write(opml, to: "list.opml")
    for name in ["urls", "list.opml"] { _ = try newsd.run("feeds", "import", directory.path + "/" + name) }
    let exported = try newsd.run("export", "--all").output
    let copy = Program(
      in: directory,
      environment: ["NEWSD_DB": directory.path + "/copy.db", "NEWSD_ALLOW_PRIVATE": "1"]
    )
    #expect(try copy.run("import", "-", input: exported).status == 0)
    directory.write("{\"id\":\"c\",\"title\":\"never\"}\n", to: "items")
    let fetch = try copy.run("fetch")
    #expect(fetch.status == 69)
    #expect(fetch.errors.contains("was not added with 'newsd feeds add'"))
    #expect(try copy.run("list", "--format", "ids").lines.count == 2)
    #expect(access(trap, F_OK) != 0)
  }

  @Test func `A program runs for each new item, and the cursor skips items already done`() throws {
    let directory = TemporaryDirectory()
    let newsd = Program(in: directory)
    try directory.writeScript("cat >>'\(directory.path)/out'\n", to: "take")
    let lines = (1...20).map { "{\"id\":\"\($0)\",\"title\":\"item \($0)\"}\n" }.joined()
    #expect(try newsd.run("ingest", "--feed", "T", input: lines).status == 0)
    let cursor = directory.path + "/cursor"
    let words = [
      "follow", "--exec", directory.path + "/take", "--jobs", "1", "--fields", "id", "--cursor", cursor,
    ]
    func text(_ path: String) -> String {
      guard let file = fopen(path, "r") else { return "" }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = fread(&bytes, 1, bytes.count, file)
      return String(decoding: bytes[..<count], as: UTF8.self)
    }
    let first = try newsd.start(words + ["--after", "0"])
    #expect(first.wait { _ in text(cursor).hasPrefix("21 ") })
    first.send(signal: SIGTERM)
    #expect(try first.finish().status == 0)
    #expect(text(directory.path + "/out") == (1...20).map { "{\"schema\":1,\"id\":\($0)}\n" }.joined())

    #expect(try newsd.run("ingest", "--feed", "T", input: "{\"id\":\"n\",\"title\":\"new\"}").status == 0)
    let second = try newsd.start(words)
    #expect(second.wait { _ in text(cursor).hasPrefix("22 ") })
    second.send(signal: SIGTERM)
    #expect(try second.finish().status == 0)
    #expect(text(directory.path + "/out").hasSuffix("{\"schema\":1,\"id\":20}\n{\"schema\":1,\"id\":21}\n"))
    let missing = try newsd.run("follow", "--exec", "no-such-program")
    #expect(missing.status == 66)
  }

  @Test func `follow ends when its reader exits, even without a new item`() throws {
    let directory = TemporaryDirectory()
    let newsd = Program(in: directory)
    #expect(try newsd.run("ingest", "--feed", "T", input: "{\"id\":\"a\",\"title\":\"one\"}").status == 0)
    let follow = try newsd.start(["follow", "--after", "0", "--format", "ids"])
    #expect(follow.wait { $0.output == "1\n" })
    follow.closeOutput()
    let result = try follow.finish(seconds: 20)
    #expect(result.status == 141)
    #expect(result.errors.isEmpty)
  }
}
