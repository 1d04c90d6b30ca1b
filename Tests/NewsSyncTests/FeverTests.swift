@testable import NewsHTTP
import NewsCore
import NewsSQLite
import NewsStoresShared
import NewsToolbox
import Testing

@testable import NewsSync

@Suite struct `The Fever API` {
  private func ask(
    _ fixture: SyncFixture,
    _ query: String = "",
    _ form: String = "",
    key: String? = FakeAccount.key,
    method: HTTPMethod = .post
  ) async throws -> JSONValue {
    var pairs = HTTPParameters(encoded: form.utf8).pairs
    if let key { pairs.append(("api_key", key)) }
    let answer = try await fixture.send(
      HTTPRequest(
        method: method,
        path: ["fever", ""],
        query: HTTPParameters(encoded: ("api" + query).utf8),
        form: HTTPParameters(method == .post ? pairs : [])
      )
    )
    #expect(answer.reply.status == 200)
    #expect(answer.reply.fields.all("Cache-Control") == ["no-store"])
    return JSONValue(valid: answer.body) ?? .string(answer.body)
  }

  private func ids(_ value: JSONValue, _ name: String) -> Set<Int64> {
    Set((value[name]?.string ?? "").split(separator: ",").compactMap { Int64($0) })
  }

  @Test func `Without the right key in the body, the answer has neither data nor an error`() async throws {
    let fixture = try await SyncFixture()
    for key in [nil, "", "0", "é"] {
      let answer = try await ask(fixture, "&items&feeds", key: key)
      #expect(answer["auth"]?.integer == 0)
      #expect(answer.members?.map(\.name) == ["api_version", "auth"])
    }
    for method in [HTTPMethod.get, .post] {
      let answer = try await ask(fixture, "&api_key=\(FakeAccount.key)&feeds", key: nil, method: method)
      #expect(answer["auth"]?.integer == 0)
    }
  }

  @Test(arguments: [("http://evil.example", 200), ("http://localhost", 429)])
  func `A wrong key that a page of another site sends does not count for the visitor's address`(
    origin: String,
    status: Int
  ) async throws {
    // The account answers 429 to attempts that count for this address.
    let reply = try await SyncFixture().reply(
      HTTPRequest(
        method: .post,
        path: ["fever", ""],
        query: HTTPParameters([("api", "")]),
        fields: HTTPFields([("Origin", origin)]),
        form: HTTPParameters([("api_key", "wrong")]),
        address: "192.0.2.1"
      )
    )
    #expect(reply.status == status)
  }

  @Test func `Groups are folders, with the feeds in them, and the feeds without a folder`() async throws {
    let fixture = try await SyncFixture()
    let answer = try await ask(fixture, "&groups&feeds")
    let groups = answer["groups"]?.array ?? []
    #expect(groups.map { $0["title"]?.string } == ["Tech & Co", "News/日本", "Unsorted"])
    let members = answer["feeds_groups"]?.array ?? []
    #expect(members.map { $0["group_id"]?.integer } == groups.map { $0["id"]?.integer })
    #expect(members.map { $0["feed_ids"]?.string } == ["1", "2", "3"])
    #expect(answer["feeds"]?.array?.map { $0["id"]?.integer } == [1, 2, 3])
  }

  @Test(
    arguments: [
      ("&since_id=0", Array(1...12)), ("&since_id=10", [11, 12]), ("&max_id=4", [3, 2, 1]),
      ("&max_id=0", Array((1...12).reversed())), ("&with_ids=3,77,-3,1", [3, 1]), ("&with_ids=", []),
      ("&with_ids=" + String(repeating: "0,", count: 49) + "2,1", [2]),
      ("&with_ids=" + String(repeating: "x,", count: 50) + "1", []),
      ("&since_id=abc", Array(1...12)), ("&since_id=99999999999999999999", []),
      ("&feed_ids=2", [5, 6, 7, 8]),
      ("&feed_ids=99", []), ("", Array(1...12)),
    ] as [(String, [Int64])]
  )
  func `Items are paged by id in both directions`(_ query: String, _ expected: [Int64]) async throws {
    let answer = try await ask(SyncFixture(), "&items" + query)
    #expect(answer["items"]?.array?.compactMap { $0["id"]?.integer } == expected)
    #expect(answer["total_items"]?.integer == 12)
  }

  @Test func `Pictures outside the text come before it`() async throws {
    let fixture = try await SyncFixture()
    try await fixture.addPictures()
    let item = try #require(try await ask(fixture, "&items&with_ids=13")["items"]?.array?.first)
    #expect(
      item["html"]?.string == """
        <p><img src="https://media.example/harbour.jpg?a=1&amp;b=2" alt=""></p>
        <p><img src="https://media.example/sunset.jpg" alt="The &quot;red&quot; sea &lt;1&gt;"></p>
        <p>At sea</p>
        """
    )
  }

  @Test func `A mark sets the state, and its answer lists all unread or all saved ids`() async throws {
    let fixture = try await SyncFixture()
    for _ in 1...2 {
      let read = try await ask(fixture, "", "mark=item&as=read&id=3")
      #expect(ids(read, "unread_item_ids") == Set(1...12).subtracting([3]))
      let saved = try await ask(fixture, "&mark=item&as=saved&id=3")
      #expect(ids(saved, "saved_item_ids") == [3])
    }
    #expect(ids(try await ask(fixture, "", "mark=item&as=unsaved&id=3"), "saved_item_ids").isEmpty)
  }

  @Test func `Clients with newer app passwords get ids with 16 digits, and both forms are accepted`()
    async throws
  {
    let fixture = try await SyncFixture(hasLongIDs: true)
    let items = try await ask(fixture, "&items&since_id=1000000000000010")["items"]?.array ?? []
    #expect(items.map { $0["id"]?.string } == ["1000000000000011", "1000000000000012"])
    let marked = try await ask(fixture, "", "mark=item&as=saved&id=1000000000000003")
    #expect(ids(marked, "saved_item_ids") == [1_000_000_000_000_003])
    #expect(ids(try await ask(fixture, "", "mark=item&as=saved&id=4"), "saved_item_ids").count == 2)
  }

  @Test func `A mark by GET changes nothing`() async throws {
    let fixture = try await SyncFixture()
    _ = try await ask(fixture, "&mark=item&as=read&id=3&api_key=\(FakeAccount.key)", method: .get)
    #expect(try await fixture.store.streamTotals().unread == 12)
  }

  @Test(arguments: [
    ("mark=feed&as=read&id=1", 8), ("mark=feed&as=read&id=1&before=0", 8),
    ("mark=feed&as=read&id=1&before=1763600000", 8), ("mark=feed&as=read&id=1&before=1763599999", 12),
    ("mark=group&as=read&id=0", 0), ("mark=group&as=read&id=0&before=1763600100", 4),
    ("mark=group&as=read&id=5", 12), ("mark=feed&as=unread&id=1", 12),
    ("mark=feed&as=read&id=1&before=abc", 12),
    ("mark=item&as=read&id=abc", 12), ("mark=item", 12),
  ])
  func `Marking feeds and groups excludes items that arrived later; an invalid mark changes nothing`(
    _ form: String,
    _ unread: Int
  ) async throws {
    let fixture = try await SyncFixture()
    #expect(try await ask(fixture, "", form)["auth"]?.integer == 1)
    #expect(try await fixture.store.streamTotals().unread == unread)
  }

  @Test func `A group is marked by its number`() async throws {
    let fixture = try await SyncFixture()
    let group = FolderNumbers.number(of: "News/日本")
    _ = try await ask(fixture, "", "mark=group&as=read&id=\(group)")
    #expect(
      ids(try await ask(fixture, "&unread_item_ids"), "unread_item_ids") == [1, 2, 3, 4, 9, 10, 11, 12]
    )
  }
}
