@testable import NewsHTTP
import NewsCore
import NewsSQLite
import NewsStoresShared
import NewsToolbox
import Testing

@testable import NewsSync

@Suite struct `Google Reader log-in` {
  private func login(
    _ form: String,
    address: String = "127.0.0.1",
    fields: HTTPFields = HTTPFields()
  ) async throws -> (HTTPReply, String) {
    try await SyncFixture().send(
      HTTPRequest(
        method: .post,
        path: ["api", "greader.php", "accounts", "ClientLogin"],
        fields: fields,
        form: HTTPParameters(encoded: form.utf8),
        address: address
      )
    )
  }

  @Test func `The right password gives the lines SID, LSID and Auth, with Cache-Control no-store`()
    async throws
  {
    let (reply, body) = try await login("Email=newsd&Passwd=secret&service=reader")
    #expect(reply.status == 200)
    #expect(body.split(separator: "\n").map { $0.prefix { $0 != "=" } } == ["SID", "LSID", "Auth"])
    #expect(body.contains("Auth=\(FakeAccount.auth)\n"))
    #expect(reply.fields.all("Cache-Control") == ["no-store"])
  }

  @Test(arguments: [
    "Email=newsd&Passwd=wrong", "Email=other&Passwd=secret", "Email=newsd", "Passwd=secret", "",
  ])
  func `A wrong user or password gives a sentence about app passwords`(_ form: String) async throws {
    let (reply, body) = try await login(form)
    #expect(reply.status == 401)
    #expect(body.contains("newsd web apps add"))
  }

  @Test func `After too many wrong passwords the client is told how long to wait`() async throws {
    let (reply, _) = try await login("Email=newsd&Passwd=secret", address: "192.0.2.1")
    #expect(reply.status == 429)
    #expect(reply.fields.first("Retry-After") == "60")
  }

  @Test(arguments: [("Origin", "http://evil.example"), ("Sec-Fetch-Site", "cross-site")])
  func `A wrong password that a page of another site sends does not count for the visitor's address`(
    name: String,
    value: String
  ) async throws {
    // The account answers 429 to attempts that count for this address.
    let fields = HTTPFields([(name, value)])
    let (reply, _) = try await login("Email=newsd&Passwd=wrong", address: "192.0.2.1", fields: fields)
    #expect(reply.status == 401)
    let own = HTTPFields([("Sec-Fetch-Site", "same-origin")])
    #expect(try await login("Email=newsd&Passwd=wrong", address: "192.0.2.1", fields: own).0.status == 429)
  }

  private func post(
    _ form: String,
    authorization: String?,
    method: HTTPMethod = .post,
    _ name: String = "edit-tag"
  ) async throws -> Int {
    let fields = HTTPFields(authorization.map { [("Authorization", $0)] } ?? [])
    return try await SyncFixture().send(
      HTTPRequest(
        method: method,
        path: ["reader", "api", "0"] + name.split(separator: "/").map(String.init),
        query: HTTPParameters(encoded: method == .get ? Array(form.utf8) : []),
        fields: fields,
        form: HTTPParameters(encoded: method == .post ? Array(form.utf8) : [])
      )
    ).reply.status
  }

  @Test func `The token is accepted in the Authorization field, or as parameter T in a POST's body`()
    async throws
  {
    let form = "i=1&a=user/-/state/com.google/like"
    for header in ["GoogleLogin auth=\(FakeAccount.auth)", "googlelogin  auth=\(FakeAccount.auth) "] {
      #expect(try await post(form, authorization: header) == 200)
    }
    #expect(try await post(form + "&T=\(FakeAccount.auth)", authorization: nil) == 200)
    #expect(try await post("T=\(FakeAccount.auth)", authorization: nil, method: .get, "user-info") == 401)
    for header in [
      "GoogleLogin", "GoogleLogin auth=", "GoogleLogin auth=x", "Bearer \(FakeAccount.auth)", "=",
    ] {
      #expect(try await post(form, authorization: header) == 401, "\(header)")
    }
  }

  @Test(arguments: [("", 200), ("&T=", 200), ("&T=x", 200), ("&T=action%0A", 200), ("&T=wrong", 401)])
  func `With a token in the header, T may be missing, empty, x or the action token; others give 401`(
    _ token: String,
    _ status: Int
  ) async throws {
    let form = "i=1&a=user/-/state/com.google/like" + token
    #expect(try await post(form, authorization: "GoogleLogin auth=\(FakeAccount.auth)") == status)
  }

  @Test func `Unknown endpoints give 404 with a valid token and 401 without`() async throws {
    #expect(try await SyncFixture().call("nonsense").reply.status == 404)
    #expect(try await post("", authorization: nil, method: .get, "nonsense") == 401)
  }
}

@Suite struct `Google Reader lists` {
  @Test func `Subscriptions have ids that need no escaping, titles as text, and folders`() async throws {
    let fixture = try await SyncFixture()
    let feeds = try await fixture.json("subscription/list")["subscriptions"]?.array ?? []
    #expect(feeds.map { $0["id"]?.string } == ["feed/1", "feed/2", "feed/3"])
    #expect(feeds.first?["title"]?.string == "Alpha & \"Co\"")
    #expect(feeds.first?["url"]?.string == "http://example.org/0?a=1&b=2")
    #expect(feeds.map { $0["categories"]?.array?.count } == [1, 1, 0])
    #expect(feeds[1]["categories"]?.array?.first?["id"]?.string == "user/-/label/News/日本")
  }

  @Test func `Folders are tags of the type folder, labels of the type tag`() async throws {
    let fixture = try await SyncFixture()
    _ = try await fixture.call("edit-tag", body: "i=3&a=user/-/label/later")
    let tags = try await fixture.json("tag/list")["tags"]?.array ?? []
    #expect(tags.map { $0["type"]?.string } == [nil, "folder", "folder", "tag"])
    #expect(
      tags.map { $0.members?.map(\.name) } == [
        ["id"], ["id", "type"], ["id", "type"], ["id", "type", "unread_count"],
      ]
    )
  }

  @Test func `Saved searches are labels; of equal names, folder comes before label before search`()
    async throws
  {
    let fixture = try await SyncFixture()
    for (name, query) in [("fourth", "\"Text 4\""), ("later", "is:unread"), ("Tech & Co", "is:read")] {
      try await fixture.store.save(SavedSearch(name: name, query: query), at: SyncFixture.now)
    }
    try await fixture.store.edit([NewsItem.ID(rawValue: 3)], StreamEdit(addedLabels: ["later"]))
    let tags = try await fixture.json("tag/list")["tags"]?.array ?? []
    #expect(
      tags.compactMap { $0["id"]?.string?.split(separator: "/").last } == [
        "starred", "Tech & Co", "日本", "later", "fourth", "later (search)", "Tech & Co (search)",
      ]
    )
    #expect(try await fixture.ids("s=user/-/label/fourth") == [12, 8, 4])
    #expect(try await fixture.ids("s=user/-/label/fourth&xt=feed/2") == [12, 4])
    #expect(try await fixture.ids("s=user/-/label/later") == [3])
    #expect(try await fixture.ids("s=user/-/label/later+(search)").count == 12)
    let edit = try await fixture.call("edit-tag", body: "i=1&a=user/-/label/fourth")
    #expect(edit.reply.status == 400)
    #expect(try await fixture.call("edit-tag", body: "i=1&r=user/-/label/fourth").reply.status == 400)
    #expect(try await fixture.call("mark-all-as-read", body: "s=user/-/label/fourth").body == "OK")
    #expect(try await fixture.ids("s=user/-/state/com.google/read") == [12, 8, 4])
    let counts = try await fixture.json("unread-count")["unreadcounts"]?.array ?? []
    let found = Dictionary(counts.map { ($0["id"]?.string ?? "", $0["count"]?.integer) }) { first, _ in first
    }
    #expect(found["user/-/label/fourth"] == 0)
    #expect(found["user/-/label/later (search)"] == 9)
  }

  @Test func `Folders have the configured separator, and either separator is accepted`() async throws {
    let fixture = try await SyncFixture(separator: " › ")
    let feeds = try await fixture.json("subscription/list")["subscriptions"]?.array ?? []
    #expect(feeds[1]["categories"]?.array?.first?["label"]?.string == "News › 日本")
    for name in ["News › 日本", "News/日本"] {
      #expect(try await fixture.ids("s=user/-/label/\(name)") == [8, 7, 6, 5])
    }
    _ = try await fixture.call("subscription/edit", body: "ac=edit&s=feed/3&a=user/-/label/News › 日本")
    #expect(try await fixture.store.feeds().map(\.folder) == ["Tech & Co", "News/日本", "News/日本"])
  }

  @Test func `Unread items are counted in total, per feed and per folder`() async throws {
    let fixture = try await SyncFixture()
    _ = try await fixture.call("edit-tag", body: "i=1&i=5&i=6&a=user/-/state/com.google/read")
    let counts = try await fixture.json("unread-count?output=json")["unreadcounts"]?.array ?? []
    let pairs = counts.map { ($0["id"]?.string ?? "", $0["count"]?.integer ?? -1) }
    let found = Dictionary(pairs) { first, _ in first }
    #expect(found["user/-/state/com.google/reading-list"] == 9)
    #expect(found["feed/1"] == 3)
    #expect(found["user/-/label/News/日本"] == 2)
    #expect(found["feed/3"] == 4)
  }

  @Test func `The list of subscriptions is answered with 304 until an item is starred`() async throws {
    let fixture = try await SyncFixture()
    func list(_ tag: String) async throws -> HTTPReply {
      try await fixture.send(
        HTTPRequest(
          path: ["reader", "api", "0", "subscription", "list"],
          fields: HTTPFields([
            ("Authorization", "GoogleLogin auth=\(FakeAccount.auth)"), ("If-None-Match", tag),
          ])
        )
      ).reply
    }
    let tag = try #require(try await list("").fields.first("ETag"))
    #expect(try await list("W/\(tag)").status == 304)
    #expect(try await list("\"other\", \(tag)").status == 304)
    _ = try await fixture.call("edit-tag", body: "i=1&a=user/-/state/com.google/starred")
    #expect(try await list(tag).status == 200)
  }
}

@Suite struct `Google Reader streams` {
  @Test func `Item ids are listed in the order of storing, newest first, or oldest first on request`()
    async throws
  {
    let fixture = try await SyncFixture()
    #expect(try await fixture.ids("s=user/-/state/com.google/reading-list") == Array((1...12).reversed()))
    #expect(try await fixture.ids("s=user/7/state/com.google/reading-list&r=o&n=3") == [1, 2, 3])
    let first = try await fixture.json("stream/items/ids?s=feed/1")["itemRefs"]?.array?.first
    #expect(first?.members?.map(\.name) == ["id"])
  }

  @Test
  func `Ids of clients with newer app passwords have 16 digits in every form, and both forms are accepted`()
    async throws
  {
    let fixture = try await SyncFixture(hasLongIDs: true)
    #expect(try await fixture.ids("s=feed/1") == [4, 3, 2, 1].map { 1_000_000_000_000_000 + $0 })
    let long = "tag:google.com,2005:reader/item/00038d7ea4c68003"
    let body = "i=1000000000000002&i=\(long)&i=4"
    let items = JSONValue(valid: try await fixture.call("stream/items/contents", body: body).body)?["items"]?
      .array
    #expect(
      items?.map { $0["id"]?.string }
        == ["2", "3", "4"].map { "tag:google.com,2005:reader/item/00038d7ea4c6800\($0)" }
    )
    _ = try await fixture.call("edit-tag", body: "i=\(long)&a=user/-/state/com.google/starred")
    #expect(try await fixture.ids("s=user/-/state/com.google/starred") == [1_000_000_000_000_003])
  }

  @Test func `Following the continuations gives each item once; the last page has no continuation`()
    async throws
  {
    let fixture = try await SyncFixture()
    for order in ["n", "o"] {
      var found: [Int64] = []
      var more = ""
      repeat {
        let page = try await fixture.json(
          "stream/items/ids?s=user/-/state/com.google/reading-list&n=5&r=\(order)\(more)"
        )
        found += page["itemRefs"]?.array?.compactMap { $0["id"]?.string.flatMap { Int64($0) } } ?? []
        more = page["continuation"]?.string.map { "&c=\($0)" } ?? ""
      } while !more.isEmpty && found.count < 100
      #expect(found == (order == "o" ? Array(1...12) : Array((1...12).reversed())))
    }
    #expect(try await fixture.json("stream/items/ids?s=feed/1&n=4")["continuation"] == nil)
  }

  @Test(arguments: [
    ("s=feed/2", [8, 7, 6, 5]), ("s=feed/http%3A%2F%2Fexample.org%2F1%3Fa%3D1%26b%3D2", [8, 7, 6, 5]),
    ("s=user/-/label/Tech+%26+Co", [4, 3, 2, 1]), ("s=feed/1&s=feed/3&n=3", [12, 11, 10]),
    ("s=user/-/state/com.google/starred", [9, 2]), ("s=user/-/state/com.google/read", [9, 1]),
    (
      "s=user/-/state/com.google/reading-list&xt=user/-/state/com.google/read&xt=feed/2",
      [12, 11, 10, 4, 3, 2]
    ),
    ("s=feed/1&it=user/-/state/com.google/starred", [2]),
    ("s=user/-/state/com.google/reading-list&it=user/-/state/com.google/unread&it=feed/1", [4, 3, 2]),
    ("s=user/-/state/com.google/reading-list&ot=1763600100&nt=1763600100", [8, 7, 6, 5]),
    ("s=feed/99", []), ("s=nonsense", []), ("s=user/-/label/none", []),
    ("s=user/-/state/com.google/reading-list&xt=&it=&n=1", [12]),
  ])
  func `A query selects the items of one or more streams, without excluded streams`(
    _ query: String,
    _ expected: [Int64]
  )
    async throws
  {
    let fixture = try await SyncFixture()
    _ = try await fixture.call("edit-tag", body: "i=1&i=9&a=user/-/state/com.google/read")
    _ = try await fixture.call("edit-tag", body: "i=2&i=9&a=user/-/state/com.google/starred")
    #expect(try await fixture.ids(query) == expected)
  }

  @Test(arguments: ["", "s=", "s=feed/1&n=abc", "s=feed/1&n=-1", "s=feed/1&c=garbage", "s=feed/1&ot=-5"])
  func `A missing stream or an invalid number gives 400`(_ query: String) async throws {
    #expect(try await SyncFixture().call("stream/items/ids?" + query).reply.status == 400)
  }

  @Test func `Numbers that are too large are clamped`() async throws {
    let fixture = try await SyncFixture()
    let number = "99999999999999999999"
    #expect(try await fixture.ids("s=feed/1&n=\(number)&c=\(number)&nt=\(number)").count == 4)
    #expect(try await fixture.ids("s=feed/1&ot=\(number)").isEmpty)
  }

  @Test
  func `The path, encoded or not, or parameter s selects the stream; without both, all items are listed`()
    async throws
  {
    let fixture = try await SyncFixture()
    for target in [
      "stream/contents/feed/2", "stream/contents/feed%2F2", "stream/contents?s=feed/2",
      "stream/contents/?s=feed%2F2",
      "stream/contents/user/-/label/News/%E6%97%A5%E6%9C%AC", "stream/contents/user%2F-%2Flabel%2FNews%2F日本",
    ] {
      let items = try await fixture.json(target)["items"]?.array ?? []
      #expect(
        items.map { $0["origin"]?["streamId"]?.string } == Array(repeating: "feed/2", count: 4),
        "\(target)"
      )
    }
    #expect(try await fixture.json("stream/contents")["items"]?.array?.count == 12)
    let page = try await fixture.json("stream/contents/feed/1?n=3")
    #expect(page["items"]?.array?.count == 3)
    #expect(page["continuation"]?.string == "2")
  }

  @Test func `An item has every field that clients read`() async throws {
    let fixture = try await SyncFixture()
    _ = try await fixture.call("edit-tag", body: "i=1&a=user/-/state/com.google/read&a=user/-/label/later")
    let item = try #require(try await fixture.json("stream/items/contents?i=1")["items"]?.array?.first)
    #expect(item["id"]?.string == "tag:google.com,2005:reader/item/0000000000000001")
    #expect(item["crawlTimeMsec"]?.string == "\(SyncFixture.stored)000")
    #expect(item["timestampUsec"]?.string == "\(SyncFixture.stored)000001")
    #expect(item["published"]?.integer == SyncFixture.stored - 1000)
    #expect(item["title"]?.string == "Story 1 <b> of Alpha & \"Co\"")
    #expect(item["author"]?.string == "A. Author")
    #expect(item["canonical"]?.array?.first?["href"]?.string == "https://example.org/0/1?x=1&y=2")
    #expect(item["alternate"]?.array?.first?["type"]?.string == "text/html")
    #expect(item["summary"]?.members?.map(\.name).min() == "content")
    #expect(
      item["categories"]?.array?.map(\.string) == [
        "user/-/state/com.google/reading-list", "user/-/state/com.google/read", "user/-/label/Tech & Co",
        "user/-/label/later",
      ]
    )
    let episode = try #require(try await fixture.json("stream/items/contents?i=12")["items"]?.array?.first)
    #expect(episode["enclosure"]?.array?.first?["href"]?.string == "https://example.org/4.mp3")
    // The link of an item without a URL is its page at newsd.
    #expect(episode["canonical"]?.array?.first?["href"]?.string == "http://localhost/item/12")
  }

  @Test(
    arguments: [
      ("3", 3), ("tag:google.com,2005:reader/item/0000000000000003", 3),
      ("tag:google.com,2005:reader/item/c", 12),
      ("0000000000000010", 16), ("00000000000000ff", 255), ("-5", -5),
      ("1234567890123456", 234_567_890_123_456), ("999999999999999", 999_999_999_999_999),
      ("tag:google.com,2005:reader/item/fffffffffffffffb", -5),
    ] as [(String, Int64)]
  )
  func `Ids are read in all their forms`(_ text: String, _ id: Int64) {
    #expect(ItemIdentifier.read(text)?.rawValue == id)
  }

  @Test(arguments: [
    "", "nonsense", "tag:google.com,2005:reader/item/", "tag:google.com,2005:reader/item/xyz", "+1",
    "99999999999999999999999",
  ])
  func `Texts that are no item id in any form are rejected`(_ text: String) {
    #expect(ItemIdentifier.read(text) == nil)
  }

  @Test func `Items requested by id are returned once each; unknown ids are skipped`() async throws {
    let fixture = try await SyncFixture()
    let body = "output=json&i=2&i=77&i=-5&i=nonsense&i=tag:google.com,2005:reader/item/0000000000000002&i=1"
    let answer = try await fixture.call("stream/items/contents", body: body)
    let items = JSONValue(valid: answer.body)?["items"]?.array ?? []
    #expect(items.compactMap { $0["id"]?.string.flatMap { ItemIdentifier.read($0)?.rawValue } } == [2, 1])
  }

  @Test func `In the Atom form, items have their ids, and their states as categories`() async throws {
    let fixture = try await SyncFixture()
    _ = try await fixture.call("edit-tag", body: "i=1&a=user/-/state/com.google/read")
    let answer = try await fixture.send(
      HTTPRequest(
        path: ["reader", "atom", "feed/1"],
        query: HTTPParameters([("n", "200")]),
        fields: HTTPFields([("Authorization", "GoogleLogin auth=\(FakeAccount.auth)")])
      )
    )
    let parsed = try FeedParserForTests.items(answer.body)
    #expect(parsed.count == 4)
    #expect(answer.body.contains("label=\"read\""))
    #expect(answer.body.contains("<id>tag:google.com,2005:reader/item/0000000000000001</id>"))
  }
}
