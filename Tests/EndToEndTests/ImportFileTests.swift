import Glibc
import TestServer
import TestSupport
import Testing

@Suite(.blocking) struct `Moving in from files` {
  private let directory = TemporaryDirectory()
  private var newsd: Program { Program(in: directory) }

  /// FreshRSS's archive: a list of subscriptions with the folder "Daily", the items of a feed, and a file of another kind.
  /// Made by Python's zipfile.
  private static let archive = """
    UEsDBBQAAAAIAAwme10Qlun0rAEAAD0FAAAYAAAAZmVlZF8yMDI2LTExLTIwXzFfMS5qc29uvVJNa+MwEL3nVwgdemosJ8tSmg2BtqdC
    2VP3VHpQnYkskCUhjWlKyX/vyJbj9COUbqGBGDPz5vnNm/c8YVyv+YLxNkIQDYiIEkG4oIpNgFiHGMUGYC1m/JSwqNFAgt/oiF1FIzSR
    KncTxp7pz7hqe0Y17WbY8AWUaqGcUwaKyjWn87L8vQgg1/TdRCLKshwGfPtgdKwhzc3Oyvzre3sJF+xENv4Pu8xDlbTO6kqarCbroU4d
    YJMmakQfF0LYArY0aoC26iC79LzvaaRBCJZM+B5NRQzKBQ1xz9N7PM0WkwdFb4dILmirpiab+hn2DcbIBzD0JN1DB6Gq+YEaEqK0JSX9
    Ljwi8TTX3V3G876y9y88xqGYIP+C+Xj51ByANTbmKLATtMv2OItgcVQ0FvjSr25hi0vhV8tYBe1xtV2K/HZIIlusXeiyYG1OAdjKuNiG
    L52vaPyvvAI58OQ7A2S71k40HtS+ZcAqrKl5dnDvSdbzNv3z42GevQvzFf//9M2/l77WfpCpdygqhEA7/GSovpCXR5fi0k8cO0g+8YEa
    x8bwfr7O+Ug/obPvXgBQSwMEFAAAAAgADCZ7XR8oqmcEAAAAAgAAAAkAAABub3Rlcy50eHTLywcAUEsDBBQAAAAAAAAAIQDGZItVuwAA
    ALsAAAAZAAAAZmVlZHNfMjAyNi0xMS0yMC5vcG1sLnhtbDw/eG1sIHZlcnNpb249IjEuMCI/PjxvcG1sIHZlcnNpb249IjIuMCI+PGJv
    ZHk+PG91dGxpbmUgdGV4dD0iRGFpbHkiPjxvdXRsaW5lIHRleHQ9Ik5ld3MiIHR5cGU9InJzcyIgeG1sVXJsPSJodHRwczovL24uZXhh
    bXBsZS9mZWVkIiBodG1sVXJsPSJodHRwczovL24uZXhhbXBsZS8iLz48L291dGxpbmU+PC9ib2R5Pjwvb3BtbD5QSwECFAMUAAAACAAM
    JntdEJbp9KwBAAA9BQAAGAAAAAAAAAAAAAAAgAEAAAAAZmVlZF8yMDI2LTExLTIwXzFfMS5qc29uUEsBAhQDFAAAAAgADCZ7XR8oqmcE
    AAAAAgAAAAkAAAAAAAAAAAAAAIAB4gEAAG5vdGVzLnR4dFBLAQIUAxQAAAAAAAAAIQDGZItVuwAAALsAAAAZAAAAAAAAAAAAAACAAQ0C
    AABmZWVkc18yMDI2LTExLTIwLm9wbWwueG1sUEsFBgAAAAADAAMAxAAAAP8CAAAAAA==
    """

  private func imported(_ text: String, as name: String) throws -> Program.Result {
    try newsd.run("import", directory.write(text, to: name))
  }

  private func list(_ fields: String, of program: Program? = nil) throws -> String {
    try (program ?? newsd).run("list", "--sort", "oldest", "--format", "tsv", "--fields", fields).output
  }

  @Test(arguments: ["[", "{\"items\":[]}\n", "1763618400\tA\thttps://n.example/1\n", "PK\u{3}\u{4}\n"])
  func `A file of more than 512 MiB is refused before it is read`(start: String) throws {
    let path = directory.write(start, to: "large")
    #expect(truncate(path, 600 << 20) == 0)
    // Less memory than the file has.
    let limited = ["-c", "ulimit -v 640000; exec \"$0\" \"$@\"", Program.path, "import", path]
    let result = try newsd.run(program: "sh", limited)
    #expect(result.status == 65, "\(result.errors)")
    #expect(
      result.errors.contains("is longer than the 512 MiB that newsd reads of such a file"),
      "\(result.errors)"
    )
    #expect(access(directory.path + "/newsd.db", F_OK) != 0)
  }

  @Test func `FreshRSS's archive has folders, states, labels and enclosures`() throws {
    _ = directory.write(Self.archive, to: "archive.base64")
    let path = directory.path + "/archive.zip"
    let unpacked = try newsd.run(
      program: "sh",
      ["-c", "base64 -d \(directory.path)/archive.base64 > \(path)"]
    )
    #expect(unpacked.status == 0, "\(unpacked.errors)")
    let result = try newsd.run("import", path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.errors.contains("1 item not imported: the file does not name their feed"),
      "\(result.errors)"
    )
    #expect(result.errors.contains("1 feed, 2 items; 0 were stored before"), "\(result.errors)")
    #expect(
      try list("guid,title,is_read,is_starred,labels,tags,authors")
        == "g-1\tA & B\ttrue\tfalse\tlater\ttech\tAnn\ng-2\tC\tfalse\ttrue\t\t\t\n"
    )
    #expect(try newsd.run("feeds", "--format", "tsv", "--fields", "folder").output == "Daily\n")
    #expect(!(try list("content_html").contains("script")))
    let again = try newsd.run("import", path)
    #expect(again.errors.contains("0 feeds, 0 items; 2 were stored before"), "\(again.errors)")
  }

  @Test func `A file with more values than its size justifies is refused`() throws {
    let items = String(repeating: "{},", count: 1_000_000)
    let result = try imported("{\"items\":[\(items){}]}", as: "items.json")
    #expect(result.status == 65)
    #expect(result.errors.contains("the JSON has more than 1000000 values"), "\(result.errors)")
  }

  @Test func `Feedly's and Inoreader's JSON: times in milliseconds, states as members, tags and categories`()
    throws
  {
    let feedly = """
      {"id":"user/x/tag/global.saved","items":[{"id":"e1","originId":"urn:1","title":"Saved","published":1700000000000,
      "unread":false,"canonicalUrl":"https://f.example/1","summary":{"content":"<p>s</p>"},"keywords":["k"],
      "tags":[{"id":"user/x/tag/global.saved"},{"id":"user/x/tag/9","label":"Later"}],
      "origin":{"streamId":"feed/https://f.example/feed","title":"F","htmlUrl":"https://f.example/"}}]}
      """
    #expect(try imported(feedly, as: "feedly.json").status == 0)
    let long = "https://long.example/" + String(repeating: "x", count: 8 << 10)
    let inoreader = """
      {"direction":"ltr","id":"user/1/state/com.google/starred","items":[
        {"title":"Long","origin":{"streamId":"feed/\(long)"}},
        {"title":"One","published":1700000001,"canonical":[{"href":"https://i.example/1"}],
         "categories":["user/1/state/com.google/read","user/1/label/Work"],"summary":{"content":"x"},
         "origin":{"streamId":"feed/https://i.example/feed","title":"I"}},
        {"title":"Bad","origin":{"streamId":"feed/exec:ls"}},
        {"title":"File","origin":{"streamId":"feed/x","feedUrl":"file:///etc/passwd"}}]}
      """
    let result = try imported(inoreader, as: "starred.json")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("\(long): not imported"), "\(result.errors)")
    #expect(result.errors.contains("file:///etc/passwd: not imported"), "\(result.errors)")
    #expect(
      try list("guid,title,published,is_read,is_starred,labels")
        == "urn:1\tSaved\t2023-11-14T22:13:20Z\ttrue\ttrue\tLater\n"
        + "https://i.example/1\tOne\t2023-11-14T22:13:21Z\ttrue\ttrue\tWork\n"
    )
  }

  @Test func `Articles of Tiny Tiny RSS: stars, tags and labels`() throws {
    let articles = """
      <articles schema-version="143"><article>
        <guid><![CDATA[SHA1:abc]]></guid><title><![CDATA[A &amp; B]]></title>
        <content><![CDATA[<p>one <outline text="x"/></p>]]]]><![CDATA[>]]></content><marked>1</marked>
        <link><![CDATA[https://t.example/1]]></link><tag_cache><![CDATA[tech,news]]></tag_cache>
        <label_cache><![CDATA[[[-1025,"Later","",""]]]]></label_cache><feed_title><![CDATA[T]]></feed_title>
        <feed_url><![CDATA[https://t.example/feed]]></feed_url><updated><![CDATA[2021-05-01 13:45:00]]></updated>
      </article><article><title>Archived</title><marked>0</marked><feed_url></feed_url></article></articles>
      """
    let result = try imported(articles, as: "export.xml")
    #expect(result.errors.contains("1 item not imported"), "\(result.errors)")
    #expect(
      try list("title,url,published,is_read,is_starred,labels,tags")
        == "A & B\thttps://t.example/1\t2021-05-01T13:45:00Z\ttrue\ttrue\tLater\ttech, news\n"
    )
  }

  @Test(arguments: [
    "{}", "{\"items\":3}", "[1,2", "{\"items\":[{\"title\":\"x\"", "PK\u{3}\u{4}", "<articles",
    "{\n\"items\": [", String(repeating: "1\ta\n", count: 5000),
  ])
  func `A damaged or foreign file is refused, and no store is created for it`(text: String) throws {
    let result = try imported(text, as: "bad.json")
    #expect(
      result.status == 65 || result.errors.contains("0 feeds, 0 items"),
      "\(result.status) \(result.errors)"
    )
  }

  @Test
  func `What 'export --format greader-json' writes, 'import' reads, and the first poll doubles nothing`()
    throws
  {
    let publisher = try TestServer()
    let items = (1...2).map {
      "<item><title>Story &lt;\($0)&gt; &amp;amp;</title><link>https://s.example/\($0)</link>"
        + "<guid isPermaLink=\"false\">g-\($0)</guid><pubDate>Fri, 20 Nov 2026 0\($0):00:00 GMT</pubDate>"
        + "<description>Text &lt;b&gt;\($0)&lt;/b&gt;</description></item>"
    }
    publisher.on(
      "/feed",
      .ok("<rss version=\"2.0\"><channel><title>R&amp;D</title>\(items.joined())</channel></rss>")
    )
    #expect(try newsd.run("feeds", "add", publisher.url("/feed")).status == 0)
    #expect(try newsd.run("mark", "read", "1").status == 0)
    #expect(try newsd.run("mark", "starred", "2").status == 0)
    #expect(try newsd.run("label", "add", "later", "2").status == 0)
    let export = try newsd.run("export", "--format", "greader-json")
    #expect(export.status == 0, "\(export.errors)")
    #expect(export.output.contains("user/-/state/com.google/unread"), "\(export.output)")
    #expect(try newsd.run("export", "--format", "json").status == 64)
    #expect(try newsd.run("export", "--all", "--format", "greader-json").status == 64)
    let second = TemporaryDirectory()
    let other = Program(in: second, environment: ["NEWSD_ALLOW_PRIVATE": "1"])
    let path = second.write(export.output, to: "newsd.json")
    #expect(try other.run("import", path).status == 0)
    let fields = "guid,title,url,published,is_read,is_starred,labels,feed,content_html"
    #expect(try list(fields, of: other) == list(fields))
    let fetched = try other.run("fetch")
    #expect(fetched.status == 0, "\(fetched.errors)")
    #expect(try list(fields, of: other) == list(fields))
  }
}
