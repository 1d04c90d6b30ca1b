import NewsStoresShared
@testable import NewsHTTP
import NewsCore
import NewsSQLite
import NewsSyndication
import NewsToolbox
import Testing

@testable import NewsSync

enum FeedParserForTests {
  static func items(_ text: String) throws -> [ParsedItem] {
    try FeedParser().parse(FeedDocument(bytes: Array(text.utf8), baseURL: "http://localhost/")).items
  }
}

@Suite struct `Google Reader edits` {
  private static let read = "user/-/state/com.google/read"
  private static let starred = "user/-/state/com.google/starred"

  private func unread(_ fixture: SyncFixture) async throws -> Set<Int64> {
    Set(try await fixture.ids("s=user/-/state/com.google/reading-list&xt=\(Self.read)"))
  }

  @Test func `All given states are applied, and unknown ones are ignored`() async throws {
    let fixture = try await SyncFixture()
    let item = "i=tag:google.com,2005:reader/item/0000000000000002"
    let first = try await fixture.call(
      "edit-tag",
      body: "\(item)&a=\(Self.read)&a=\(Self.starred)&a=user/-/state/com.google/broadcast&ac=edit"
    )
    #expect(first.reply.status == 200)
    #expect(first.body == "OK")
    #expect(try await fixture.ids("s=\(Self.read)") == [2])
    #expect(try await fixture.ids("s=\(Self.starred)") == [2])
    // newsboat's body for "unread".
    let second =
      "\(item)&r=\(Self.read)&a=user/-/state/com.google/kept-unread&a=user/-/state/com.google/tracking-kept-unread"
    _ = try await fixture.call("edit-tag", body: second)
    #expect(try await fixture.ids("s=\(Self.read)").isEmpty)
  }

  @Test(arguments: ["a=user/-/state/com.google/read", "i=1", "i=nonsense&a=user/-/state/com.google/read"])
  func `An edit without an item or a state is answered with 400`(_ body: String) async throws {
    #expect(try await SyncFixture().call("edit-tag", body: body).reply.status == 400)
  }

  @Test func `A label without an item is accepted and stores nothing`() async throws {
    let fixture = try await SyncFixture()
    #expect(try await fixture.call("edit-tag", body: "a=user/-/label/New").body == "OK")
    #expect(try await fixture.store.itemLabels().isEmpty)
    #expect(try await fixture.store.madeFolders().isEmpty)
  }

  @Test func `Labels of items are streams, can be renamed and removed, and cannot have a folder's name`()
    async throws
  {
    let fixture = try await SyncFixture()
    let label = "user/-/label/sp%C3%A4ter+lesen"
    _ = try await fixture.call("edit-tag", body: "i=3&i=7&a=\(label)")
    #expect(try await fixture.ids("s=\(label)") == [7, 3])
    _ = try await fixture.call("edit-tag", body: "i=3&r=\(label)")
    #expect(try await fixture.ids("s=\(label)") == [7])
    _ = try await fixture.call("rename-tag", body: "s=\(label)&dest=user/-/label/later")
    #expect(try await fixture.ids("s=user/-/label/later") == [7])
    #expect(try await fixture.call("edit-tag", body: "i=3&a=user/-/label/Tech+%26+Co").reply.status == 400)
    let folder = "ac=edit&s=feed/3&a=user/-/label/later"
    #expect(try await fixture.call("subscription/edit", body: folder).reply.status == 400)
    _ = try await fixture.call("disable-tag", body: "s=user/-/label/later")
    #expect(try await fixture.store.itemLabels().isEmpty)
  }

  @Test(
    arguments: [
      ("s=feed/1", [5, 6, 7, 8, 9, 10, 11, 12]), ("s=user/-/label/News/日本", [1, 2, 3, 4, 9, 10, 11, 12]),
      ("s=user/-/state/com.google/reading-list", []),
      ("s=user/-/state/com.google/reading-list&ts=1763600100", [9, 10, 11, 12]),
      ("s=user/-/state/com.google/reading-list&ts=1763600100000006", [7, 8, 9, 10, 11, 12]),
      ("s=feed/1&s=feed/2&ts=1", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
    ] as [(String, Set<Int64>)]
  )
  func `Marking streams as read excludes later arrivals`(_ body: String, _ left: Set<Int64>) async throws {
    let fixture = try await SyncFixture()
    #expect(try await fixture.call("mark-all-as-read", body: body).body == "OK")
    #expect(try await unread(fixture) == left)
  }

  @Test(arguments: ["", "s=", "s=feed/99", "s=user/-/state/com.google/reading-list&ts=abc"])
  func `Marking a stream that does not exist changes nothing`(_ body: String) async throws {
    let fixture = try await SyncFixture()
    #expect((400..<500).contains(try await fixture.call("mark-all-as-read", body: body).reply.status))
    #expect(try await unread(fixture).count == 12)
  }

  @Test func `Subscribing twice adds one feed, and applies the new title and folder`() async throws {
    let fixture = try await SyncFixture()
    for title in ["First", "Second"] {
      let body = "ac=subscribe&s=feed/http%3A%2F%2Ffeeds.example%2Fa&t=\(title)&a=user/-/label/Neu"
      #expect(try await fixture.call("subscription/edit", body: body).body == "OK")
    }
    let feeds = try await fixture.store.feeds().filter { $0.url == "http://feeds.example/a" }
    #expect(feeds.map(\.title) == ["Second"])
    #expect(feeds.map(\.folder) == ["Neu"])
    #expect(feeds.map(\.itemCount) == [1])
    _ = try await fixture.call("subscription/edit", body: "ac=unsubscribe&s=feed/4")
    #expect(try await fixture.store.feeds().count == 3)
  }

  @Test(arguments: [
    "ac=subscribe&s=feed/javascript:alert(1)", "ac=subscribe&s=feed/file:///etc/passwd",
    "ac=subscribe&s=feed//etc/passwd", "ac=subscribe&s=feed/exec:true",
    "ac=subscribe&s=feed/http://other.example/", "ac=nonsense&s=feed/1", "ac=edit", "s=feed/1",
    "ac=edit&s=feed/99&t=x", "ac=unsubscribe&s=feed/99",
  ])
  func `Files, programs, unreachable or missing feeds and invalid actions are refused`(_ body: String)
    async throws
  {
    let fixture = try await SyncFixture()
    #expect((400..<500).contains(try await fixture.call("subscription/edit", body: body).reply.status))
    #expect(try await fixture.store.feeds() == fixture.feeds)
  }

  @Test func `A feed is renamed, moved into a folder and out of it`() async throws {
    let fixture = try await SyncFixture()
    let edit = "subscription/edit?ac=edit&s=feed/1"
    _ = try await fixture.call(edit + "&t=New+%22name%22&a=user/-/label/Anderswo", body: "")
    var feed = try #require(try await fixture.store.feeds().first)
    #expect(feed.title == "New \"name\"")
    #expect(feed.folder == "Anderswo")
    _ = try await fixture.call(edit + "&r=user/-/label/Anderswo", body: "")
    feed = try #require(try await fixture.store.feeds().first)
    #expect(feed.folder == nil)
  }

  @Test func `Renaming a folder keeps its feeds in it; removing the folder keeps the feeds`() async throws {
    let fixture = try await SyncFixture()
    _ = try await fixture.call("rename-tag", body: "s=user/-/label/News&dest=user/-/label/N")
    #expect(
      try await fixture.call("rename-tag", body: "s=user/-/label/none&dest=user/-/label/N").reply.status
        == 400
    )
    _ = try await fixture.call("rename-tag", body: "s=user/-/label/News/日本&dest=user/-/label/N")
    #expect(try await fixture.store.feeds().map(\.folder) == ["Tech & Co", "N", nil])
    _ = try await fixture.call("disable-tag", body: "s=user/-/label/N")
    #expect(try await fixture.store.feeds().map(\.folder) == ["Tech & Co", nil, nil])
  }

  @Test func `Quick add returns the added feed, or no result`() async throws {
    let fixture = try await SyncFixture()
    let added = try await fixture.call("subscription/quickadd", body: "quickadd=http://feeds.example/b")
    #expect(JSONValue(valid: added.body)?["numResults"]?.integer == 1)
    #expect(JSONValue(valid: added.body)?["streamId"]?.string == "feed/4")
    #expect(JSONValue(valid: added.body)?["streamName"]?.string == "New feed")
    // The protocol has no choice: of a page with several feeds, the first is added.
    let first = try await fixture.call("subscription/quickadd", body: "quickadd=http://pages.example/quick")
    #expect(JSONValue(valid: first.body)?["streamId"]?.string == "feed/5")
    #expect(try await fixture.store.feeds().contains { $0.url == "http://feeds.example/quick-news" })
    for address in ["http://other.example/", "nonsense", "/etc/passwd"] {
      let missing = try await fixture.call("subscription/quickadd", body: "quickadd=\(address)")
      #expect(missing.reply.status == 200)
      #expect(JSONValue(valid: missing.body)?["numResults"]?.integer == 0)
    }
  }

  private func importing(_ list: String) async throws -> (SyncFixture, HTTPReply) {
    let fixture = try await SyncFixture()
    let answer = try await fixture.send(
      HTTPRequest(
        method: .post,
        path: ["reader", "api", "0", "subscription", "import"],
        fields: HTTPFields([("Authorization", "GoogleLogin auth=\(FakeAccount.auth)")]),
        body: Array(list.utf8)
      )
    )
    return (fixture, answer.reply)
  }

  @Test func `A list is imported with its folders and exported again`() async throws {
    let (fixture, reply) = try await importing(
      """
      <?xml version="1.0"?><opml version="2.0"><body><outline text="Tief"><outline text="Tiefer &amp; dann">
      <outline type="rss" text="From OPML" xmlUrl="http://feeds.example/o"/></outline></outline></body></opml>
      """
    )
    #expect(reply.status == 200)
    #expect(try await fixture.store.feeds().last?.folder == "Tief/Tiefer & dann")
    let list = try await fixture.call("subscription/export")
    #expect(list.reply.fields.first("Content-Disposition")?.contains("attachment") == true)
    #expect(list.body.contains("http://feeds.example/o"))
  }

  @Test(arguments: ["nonsense", "", "<opml>"])
  func `An import that is not OPML is answered with 400`(_ list: String) async throws {
    let (fixture, reply) = try await importing(list)
    #expect(reply.status == 400)
    #expect(try await fixture.store.feeds().count == 3)
  }
}
