import TestSupport
import Testing

/// Scripts as feeds: `newsd ingest`.
@Suite(.blocking) struct `Items from standard input` {
  private let directory = TemporaryDirectory()
  private var newsd: Program { Program(in: directory) }

  private func ingest(_ text: String, feed: String = "Script") throws -> Program.Result {
    try newsd.run(["ingest", "--feed", feed], input: text)
  }

  private func titles(_ options: String...) throws -> [String] {
    try newsd.run(["list", "--format", "tsv", "--fields", "title"] + options).lines.map(String.init).sorted()
  }

  @Test func `Rules apply to ingested items, and dropped items do not come back`() throws {
    #expect(try newsd.run("rules", "add", "title:sponsored", "--do", "drop").status == 0)
    #expect(try newsd.run("rules", "add", "title:/^release/", "--do", "star").status == 0)
    let items = """
      {"id": "1", "title": "Sponsored: buy"}
      {"id": "2", "title": "Release 2", "content_text": "new"}
      {"id": "3", "title": "A release"}
      """
    #expect(try ingest(items).errors.contains("2 new"))
    #expect(try titles() == ["A release", "Release 2"])
    #expect(try titles("--starred") == ["Release 2"])
    #expect(try newsd.run("rules", "remove", "1").status == 0)
    #expect(try ingest(items).errors.contains("0 new, 0 changed, 2 were stored before"))
    #expect(try newsd.run("rules", "add", "", "--do", "drop").status == 64)
  }

  @Test func `An edited item is updated, and keeps its id and state`() throws {
    _ = try ingest(#"{"id": "1", "title": "First title", "content_text": "one two three four five six"}"#)
    #expect(try newsd.run("mark", "starred", "1").status == 0)
    let again = try ingest(#"{"id": "1", "title": "Second title", "content_text": "seven eight nine ten"}"#)
    #expect(again.errors.contains("0 new, 1 changed"))
    #expect(try titles("--starred") == ["Second title"])
    #expect(try newsd.run("search", "five", "--count").output == "0\n")
    #expect(try newsd.run("search", "nine", "--format", "tsv", "--fields", "id").output == "1\n")
    #expect(try newsd.run("show", "1", "--versions").output.contains("First title"))
  }

  @Test(arguments: [#"not json"#, "{}", #"{"id": "9"} {"id": "10"}"#, #"["a"]"#])
  func `An invalid line is reported, and the other lines are stored`(_ line: String) throws {
    let result = try ingest(#"{"id": "1", "title": "Good"}"# + "\n\n" + line + "\n")
    #expect(result.status == 65)
    #expect(result.errors.contains("line 3"), "\(result.errors)")
    #expect(try titles() == ["Good"])
  }

  @Test func `Only a full title selects an existing feed`() throws {
    _ = try ingest(#"{"id": "1", "title": "Comic"}"#, feed: "xkcd")
    _ = try ingest(#"{"id": "1", "title": "Other"}"#, feed: "xk")
    _ = try ingest(#"{"id": "2", "title": "Again"}"#, feed: "XKCD")
    #expect(try newsd.run("feeds", "--format", "tsv", "--fields", "title,items").output == "xkcd\t2\nxk\t1\n")
  }

  @Test
  func `A saved search keeps its filters, is listed with the feeds, and is exported and imported`()
    throws
  {
    _ = try ingest(#"{"id": "1", "title": "quick"}"# + "\n" + #"{"id": "2", "title": "slow"}"#)
    _ = try ingest(#"{"id": "3", "title": "quick too"}"#, feed: "Elsewhere")
    #expect(
      try newsd.run("search", "--save", "fast", "--unread", "--feed", "Script", "quick OR swift").status == 0
    )
    #expect(try titles("--feed", "fast") == ["quick"])
    #expect(try newsd.run("feeds").output.contains("search fast: (quick OR swift) feed:Script is:unread"))
    #expect(try newsd.run("search", "--save", "script", "quick").status == 64)
    let opml = try newsd.run("feeds", "export").output
    let other = TemporaryDirectory()
    let elsewhere = Program(in: other)
    #expect(try elsewhere.run(["feeds", "import", "-"], input: opml).status == 0)
    #expect(
      try elsewhere.run("search", "--saved", "--format", "tsv").output
        == "fast\t(quick OR swift) feed:Script is:unread\n"
    )
    let explained = try newsd.run("search", "--explain", "--unread", "quick", "sort:relevance").output
    #expect(explained.contains("is:unread"))
    #expect(explained.contains("index: full-text"))
    #expect(explained.contains("order: the best"))
    #expect(try newsd.run("search", "--explain", "is:starred").output.contains("index: items_starred"))
  }

  @Test func `An imported change log gives the same items, and an sfeed file fills the feed of its name`()
    throws
  {
    _ = try ingest(
      #"{"id": "1", "title": "One", "url": "https://e.example/1", "content_html": "<p>a <b>b</b></p>", "tags": ["x"]}"#
        + "\n" + #"{"id": "2", "title": "Two", "date_published": "2026-01-02T03:04:05Z"}"#
        + "\n" + #"{"id": "3", "title": "Three"}"#
    )
    let file = directory.write(
      "1700000000\tKept\thttps://e.example/k\ttext\\nmore\tplain\tk1\tAnn\t\tnews|old\n",
      to: "lwn"
    )
    #expect(try newsd.run("import", file).status == 0)
    #expect(try titles("--feed", "lwn") == ["Kept"])
    #expect(try newsd.run("mark", "read", "1").status == 0)
    #expect(try newsd.run("mark", "starred", "2").status == 0)
    let fields = "guid,title,url,published,is_read,is_starred,content_text,content_html,tags,feed,feed_url"
    let log = try newsd.run("changes", "--after", "0", "--format", "jsonl").output
    let other = TemporaryDirectory()
    let elsewhere = Program(in: other)
    #expect(try elsewhere.run(["import", "-"], input: log).status == 0)
    let mine = try newsd.run("list", "--format", "jsonl", "--fields", fields).lines.sorted()
    let theirs = try elsewhere.run("list", "--format", "jsonl", "--fields", fields).lines.sorted()
    #expect(mine.count == 4)
    #expect(mine == theirs)
  }
}
