import NewsStoresShared
@testable import NewsHTTP
import Modules
import NewsCore
import NewsSQLite
import NewsToolbox
import Testing

@testable import NewsSync

@Suite struct `The Miniflux API` {
  private func ask(
    _ fixture: SyncFixture,
    _ method: HTTPMethod,
    _ path: String,
    _ body: String = ""
  ) async throws -> (status: Int, value: JSONValue) {
    let (path, query) = path.cut(atFirst: "?") ?? (path[...], "")
    let answer = try await fixture.send(
      HTTPRequest(
        method: method,
        path: ["v1"] + path.split(ascii: "/").map(String.init),
        query: HTTPParameters(encoded: query.utf8),
        body: Array(body.utf8)
      )
    )
    return (answer.reply.status, JSONValue(valid: answer.body) ?? .null)
  }

  private func ask(_ fixture: SyncFixture, _ path: String) async throws -> (status: Int, value: JSONValue) {
    try await ask(fixture, .get, path)
  }

  private func ids(_ value: JSONValue) -> [Int64] {
    value["entries"]?.array?.compactMap { $0["id"]?.integer } ?? []
  }

  @Test func `An entry is saved by the hooks that save items`() async throws {
    let fixture = try await SyncFixture()
    #expect(try await ask(fixture, "integrations/status").value["has_integrations"]?.bool == false)
    #expect(try await ask(fixture, .post, "entries/1/save").status == 400)
    var hook = Hook(name: "later", target: .exec(["true"]))
    hook.events = [.saved]
    try await fixture.store.register([hook], isComplete: true)
    #expect(try await ask(fixture, "integrations/status").value["has_integrations"]?.bool == true)
    #expect(try await ask(fixture, .post, "entries/1/save").status == 202)
    #expect(try await ask(fixture, .post, "entries/99/save").status == 404)
    #expect(try await fixture.store.hookStates().map(\.pending) == [1])
  }

  @Test func `A category with a name of more than 1000 bytes is refused with 400`() async throws {
    let fixture = try await SyncFixture()
    let title = String(repeating: "a", count: 1001)
    let answer = try await ask(fixture, .post, "categories", "{\"title\":\"\(title)\"}")
    #expect(answer.status == 400)
    #expect(answer.value["error_message"]?.string == "the name of a folder must have at most 1000 bytes")
  }

  @Test(
    arguments: [
      StoreErrorCode.unreadable, .corrupt, .full, .busy, .badData, .other, .olderLayout(found: 1, known: 2),
    ]
  )
  func `An answer to an error of the store has neither its address nor a text of its library`(
    code: StoreErrorCode
  ) {
    let error = StoreError(
      code: code,
      message: "the store postgresql://app:***@db/news failed: index row size"
    )
    let errors: [any Error] = [
      error, UserMessage(error), FeedAdditionError(code: .store(code), message: error.message),
    ]
    for error in errors {
      let (status, message) = SyncReply.failure(error)
      #expect(status >= 500)
      #expect(!message.isEmpty && !message.contains("postgresql") && !message.contains("index"), "\(message)")
    }
  }

  @Test func `The user, feeds, folders and counters are listed`() async throws {
    let fixture = try await SyncFixture()
    #expect(try await ask(fixture, "me").value["username"]?.string == "newsd")
    let feeds = try await ask(fixture, "feeds").value.array ?? []
    #expect(feeds.map { $0["title"]?.string } == ["Alpha & \"Co\"", "日本", "Plain"])
    #expect(feeds.map { $0["category"]?["title"]?.string } == ["Tech & Co", "News/日本", "All"])
    let categories = try await ask(fixture, "categories").value.array ?? []
    #expect(categories.map { $0["title"]?.string } == ["All", "Tech & Co", "News/日本"])
    let second = try #require(categories[2]["id"]?.integer)
    #expect(try await ask(fixture, "categories/\(second)/feeds").value.array?.count == 1)
    #expect(try await ask(fixture, "feeds/counters").value["unreads"]?["1"]?.integer == 4)
    #expect(try await ask(fixture, "feeds/9").status == 404)
    #expect(try await ask(fixture, "nonsense").status == 404)
  }

  @Test(
    arguments: [
      ("entries?order=id", Array(1...12), 12), ("entries?order=id&direction=desc&limit=3", [12, 11, 10], 12),
      ("entries?order=id&limit=3&offset=2", [3, 4, 5], 12),
      ("entries?after_entry_id=10&order=id", [11, 12], 2),
      ("entries?before_entry_id=3&order=id&direction=desc", [2, 1], 2),
      ("entries?order=id&direction=desc&after_entry_id=3&before_entry_id=8&limit=2", [7, 6], 4),
      ("entries?order=created_at&direction=desc&limit=2", [12, 11], 12),
      ("entries?order=id&limit=0", Array(1...12), 12), ("entries?order=id&tags=later", [3], 1),
      ("entries?order=status&direction=desc&feed_id=1", [2, 4, 3, 1], 4),
      ("entries?order=title&feed_id=1&starred=false&globally_visible=true", [1, 2, 4], 3),
      ("entries?order=id&after=\(SyncFixture.stored - 2000)", [1, 5, 9], 3),
      ("entries?order=id&published_before=\(SyncFixture.stored - 2000)&category_id=0", [11, 12], 2),
      ("entries?order=id&after_entry_id=x&limit=-1&category_id=\(Int64(Int32.max))", [9, 10, 11, 12], 4),
      ("entries?order=id&changed_after=4000000000", [], 0),
      ("entries?order=changed_at&direction=desc&limit=2", [3, 2], 12),
      ("feeds/2/entries?order=id", [5, 6, 7, 8], 4),
      ("entries?status=read&order=id", [2], 1), ("entries?starred=true&status=unread&order=id", [3], 1),
      ("entries?status=unread&feed_id=1&order=id", [1, 3, 4], 3), ("entries?status=removed", [], 0),
      ("entries?search=Text+4&order=id", [4, 8, 12], 3),
      ("entries?search=Text+4&order=id&after_entry_id=4&limit=1", [8], 2),
      ("entries?starred=false&status=unread&feed_id=1&order=id", [1, 4], 2),
      // By time: item 4 of each feed is the oldest.
      ("feeds/1/entries?order=published_at&direction=asc&limit=2", [4, 3], 4),
      ("feeds/1/entries?order=published_at&direction=desc", [1, 2, 3, 4], 4),
      ("entries?search=Text+4&direction=desc&feed_id=1", [4], 1),
    ] as [(String, [Int64], Int64)]
  )
  func `Entries are filtered, ordered and paged`(_ path: String, _ expected: [Int64], _ total: Int64)
    async throws
  {
    let fixture = try await SyncFixture()
    _ = try await fixture.store.mark([NewsItem.ID(rawValue: 2)], .read)
    _ = try await fixture.store.edit(
      [NewsItem.ID(rawValue: 3)],
      StreamEdit(marks: [.starred], addedLabels: ["later"])
    )
    let answer = try await ask(fixture, path).value
    #expect(ids(answer) == expected)
    #expect(answer["total"]?.integer == total)
  }

  @Test func `An entry has its feed, state and enclosures`() async throws {
    let fixture = try await SyncFixture()
    let entry = try await ask(fixture, "entries/12").value
    #expect(entry["status"]?.string == "unread")
    #expect(entry["starred"]?.bool == false)
    #expect(entry["content"]?.string == "<p>Text 4</p>")
    #expect(entry["feed"]?["title"]?.string == "Plain")
    #expect(entry["enclosures"]?.array?.first?["url"]?.string == "https://example.org/4.mp3")
    #expect(try await ask(fixture, "entries/99").status == 404)
  }

  @Test func `Pictures outside the text are enclosures, whose numbers stay when the text shows one of them`()
    async throws
  {
    let fixture = try await SyncFixture()
    try await fixture.addPictures()
    let enclosures = try #require(try await ask(fixture, "entries/13").value["enclosures"]?.array)
    #expect(
      enclosures.map { $0["url"]?.string } == [
        "https://media.example/harbour.jpg?a=1&b=2", "https://media.example/sunset.jpg",
      ]
    )
    #expect(enclosures.map { $0["id"]?.integer } == [13_999, 13_998])
    #expect(enclosures.allSatisfy { $0["mime_type"]?.string == "image/jpeg" })
    let one = try await ask(fixture, "enclosures/13998").value
    #expect(one["url"]?.string == "https://media.example/sunset.jpg" && one["entry_id"]?.integer == 13)
    #expect(try await ask(fixture, "enclosures/13997").status == 404)
    try await fixture.addPictures(
      text: "Back from the sea",
      markup: "<img src=\"https://media.example/harbour.jpg?a=1&amp;b=2\">"
    )
    let left = try #require(try await ask(fixture, "entries/13").value["enclosures"]?.array)
    #expect(left.map { $0["id"]?.integer } == [13_998])
  }

  @Test func `Entries are marked, and bookmarks toggled`() async throws {
    let fixture = try await SyncFixture()
    let marked = try await ask(fixture, .put, "entries", "{\"entry_ids\": [1, 2], \"status\": \"read\"}")
    #expect(marked.status == 204)
    #expect(ids(try await ask(fixture, "entries?status=read&order=id").value) == [1, 2])
    for expected in [true, false] {
      #expect(try await ask(fixture, .put, "entries/5/bookmark").status == 204)
      #expect(try await ask(fixture, "entries/5").value["starred"]?.bool == expected)
    }
    #expect(try await ask(fixture, .put, "entries", "{\"entry_ids\": [1]}").status == 400)
    #expect(try await ask(fixture, .put, "feeds/2/mark-all-as-read").status == 204)
    #expect(try await ask(fixture, "feeds/counters").value["unreads"]?["2"]?.integer == 0)
    #expect(try await ask(fixture, .put, "users/1/mark-all-as-read").status == 204)
    #expect(try await fixture.store.streamTotals().unread == 0)
  }

  @Test(arguments: ["order=x", "direction=up", "status=new&status=", "feed_id=99", "category_id=99"])
  func `Values that Miniflux refuses are refused`(_ query: String) async throws {
    #expect(try await ask(SyncFixture(), "entries?" + query).status == 400)
  }

  @Test func `Marks and stars are set together, and the ids in a state are listed`() async throws {
    let fixture = try await SyncFixture()
    let body = "{\"entry_ids\": [3, 4], \"status\": \"read\", \"starred\": true}"
    #expect(try await ask(fixture, .put, "entries", body).status == 204)
    #expect(try await ask(fixture, .put, "entries", "{\"entry_ids\": [4], \"starred\": false}").status == 204)
    #expect(try await ask(fixture, .put, "entries/5/star").status == 204)
    let starred = try await ask(fixture, "entries/ids?starred=true&limit=1").value
    #expect(starred["total"]?.integer == 2)
    #expect(starred["entry_ids"]?.array?.map(\.integer) == [5])
    #expect(
      try await ask(fixture, "entries/ids?status=read").value["entry_ids"]?.array?.map(\.integer) == [4, 3]
    )
  }

  @Test func `The members that clients require have values of the right type`() async throws {
    let fixture = try await SyncFixture()
    let user = try await ask(fixture, "me").value
    for name in ["stylesheet", "google_id", "openid_connect_id", "last_login_at"] {
      #expect(user[name]?.string != nil, "\(name)")
    }
    #expect(user["entries_per_page"]?.integer == 100)
    #expect(user["keyboard_shortcuts"]?.bool == true)
    let version = try await ask(fixture, "version").value
    for name in ["version", "commit", "build_date", "go_version", "compiler", "arch", "os"] {
      #expect(version[name]?.string != nil, "\(name)")
    }
    let feed = try #require(try await ask(fixture, "feeds").value.array?.first)
    for name in ["crawler", "ignore_http_cache", "fetch_via_proxy", "disabled"] {
      #expect(feed[name]?.bool == false, "\(name)")
    }
    for name in ["rewrite_rules", "scraper_rules", "etag_header", "last_modified_header"] {
      #expect(feed[name]?.string == "", "\(name)")
    }
    #expect(feed["icon"]?["icon_id"]?.integer == 0)
  }

  @Test func `A feed is disabled and hidden; entries can be asked for without hidden feeds`() async throws {
    let fixture = try await SyncFixture()
    let changed = try await ask(fixture, .put, "feeds/1", #"{"disabled": true, "hide_globally": true}"#)
    #expect(changed.value["disabled"]?.bool == true && changed.value["hide_globally"]?.bool == true)
    let settings = try await fixture.store.feeds()[0].settings
    #expect(settings.isPaused == true && settings.isHidden == true)
    let all = ids(try await ask(fixture, "entries").value)
    let visible = ids(try await ask(fixture, "entries?globally_visible=true").value)
    #expect(Set(all).isSuperset(of: [1, 2, 3, 4]) && Set(visible).isDisjoint(with: [1, 2, 3, 4]))
    #expect(!visible.isEmpty && visible.count == all.count - 4)
    #expect(ids(try await ask(fixture, "feeds/1/entries").value).count == 4)
    let again = try await ask(fixture, .put, "feeds/1", #"{"disabled": false, "hide_globally": false}"#)
    #expect(again.value["disabled"]?.bool == false && again.value["hide_globally"]?.bool == false)
    #expect(try await fixture.store.feeds()[0].settings.isEmpty)
  }

  @Test func `Categories are made without a feed, renamed and removed; their feeds stay`() async throws {
    let fixture = try await SyncFixture()
    let made = try await ask(fixture, .post, "categories", "{\"title\": \"New\"}")
    #expect(made.status == 201)
    let id = try #require(made.value["id"]?.integer)
    #expect(try await ask(fixture, .post, "categories", "{\"title\": \"New\"}").status == 400)
    #expect(try await ask(fixture, .put, "feeds/3", "{\"category_id\": \(id)}").status == 201)
    let renamed = try await ask(fixture, .put, "categories/\(id)", "{\"title\": \"Newer\"}")
    #expect(renamed.status == 201)
    #expect(renamed.value["id"]?.integer == id)
    let newer = id
    #expect(try await ask(fixture, "categories/\(newer)/feeds").value.array?.count == 1)
    #expect(try await ask(fixture, .delete, "categories/\(newer)").status == 204)
    #expect(try await fixture.store.feeds().map(\.folder) == ["Tech & Co", "News/日本", nil])
    #expect(
      try await ask(fixture, "categories?counts=true").value.array?.map { $0["feed_count"]?.integer } == [
        1, 1, 1,
      ]
    )
    #expect(try await ask(fixture, .delete, "categories/\(newer)").status == 404)
  }

  @Test func `Feeds are refreshed and found, and pages of entries fetched`() async throws {
    let fixture = try await SyncFixture()
    for path in ["feeds/refresh", "feeds/2/refresh", "categories/0/refresh"] {
      #expect(try await ask(fixture, .put, path).status == 204)
    }
    let expected: [[Feed.ID]?] = [nil, [Feed.ID(rawValue: 2)], [Feed.ID(rawValue: 3)]]
    #expect(fixture.refreshedFeeds == expected)
    #expect(try await ask(fixture, .put, "feeds/9/refresh").status == 404)
    let found = try await ask(fixture, .post, "discover", "{\"url\": \"http://feeds.example/a\"}").value.array
    #expect(found?.map { $0["url"]?.string } == ["http://feeds.example/a"])
    #expect(
      try await ask(fixture, "entries/1/fetch-content").value["content"]?.string?.contains("Page of") == true
    )
    #expect(try await ask(fixture, .put, "flush-history").status == 202)
    #expect(try await ask(fixture, .delete, "flush-history").status == 202)
    #expect(try await fixture.store.streamTotals().items == 12)
  }

  @Test func `Feeds are added, renamed, moved and removed`() async throws {
    let fixture = try await SyncFixture()
    let added = try await ask(
      fixture,
      .post,
      "feeds",
      "{\"feed_url\": \"http://feeds.example/m\", \"category_id\": 0}"
    )
    #expect(added.status == 201)
    #expect(
      try await ask(fixture, .post, "feeds", "{\"feed_url\": \"http://feeds.example/m\"}").status == 400
    )
    #expect(added.value["feed_id"]?.integer == 4)
    let group = FolderNumbers.number(of: "Tech & Co")
    let changed = try await ask(fixture, .put, "feeds/4", "{\"title\": \"Mine\", \"category_id\": \(group)}")
    #expect(changed.status == 201)
    #expect(changed.value["title"]?.string == "Mine")
    #expect(changed.value["category"]?["title"]?.string == "Tech & Co")
    #expect(try await ask(fixture, .delete, "feeds/4").status == 204)
    #expect(try await fixture.store.feeds().count == 3)
    #expect(try await ask(fixture, .post, "feeds", "{\"feed_url\": \"exec:true\"}").status == 400)
  }
}
