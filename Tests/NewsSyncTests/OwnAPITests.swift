import NewsStoresShared
@testable import NewsHTTP
import Modules
import NewsCore
import NewsSQLite
import NewsToolbox
import Testing

@testable import NewsSync

@Suite struct `newsd's own API` {
  private func get(
    _ fixture: SyncFixture,
    _ path: String,
    fields: [(name: String, value: String)] = []
  ) async throws -> (reply: HTTPReply, body: String) {
    let (path, query) = path.cut(atFirst: "?") ?? (path[...], "")
    return try await fixture.send(
      HTTPRequest(
        path: path.split(ascii: "/").map { PercentCoding.decodeLeniently($0.utf8) },
        query: HTTPParameters(encoded: query.utf8),
        fields: HTTPFields(fields)
      )
    )
  }

  @Test(arguments: [
    ("api/items?format=ids", 12), ("api/items?format=ids&n=5", 5), ("api/items?format=ids&feed=2", 4),
    ("api/items?format=ids&query=feed:Plain", 4), ("api/items?format=ids&unread=1&folder=Tech+%26+Co", 3),
    ("api/items?format=ids&query=Story&sort=relevance&n=7", 7), ("api/items?format=ids&starred=1", 0),
  ])
  func `Items are selected with the options of the command line`(_ path: String, _ count: Int) async throws {
    let fixture = try await SyncFixture()
    _ = try await fixture.store.mark([NewsItem.ID(rawValue: 1)], .read)
    let answer = try await get(fixture, path)
    #expect(answer.reply.status == 200)
    #expect(answer.body.split(separator: "\n").count == count)
  }

  @Test(arguments: [
    ("json", "application/json"), ("jsonl", "application/x-ndjson"), ("tsv", "text/tab-separated-values"),
    ("csv", "text/csv"), ("atom", "application/atom+xml"), ("rss", "application/rss+xml"),
    ("jsonfeed", "application/feed+json"), ("html", "text/html"), ("markdown", "text/markdown"),
    ("mbox", "application/mbox"), ("sfeed", "text/plain"),
  ])
  func `Output formats have their media types, and only html has a Content-Security-Policy`(
    _ format: String,
    _ type: String
  ) async throws {
    let answer = try await get(SyncFixture(), "api/items?format=\(format)")
    #expect(answer.reply.fields.first("Content-Type")?.hasPrefix(type) == true)
    #expect(answer.body.contains("Story 1"))
    #expect((answer.reply.fields.first("Content-Security-Policy") != nil) == (format == "html"))
  }

  @Test func `A list that takes several reads of the store is one document without repeats`() async throws {
    let fixture = try await SyncFixture()
    var parsed = ParsedFeed(format: "rss20")
    parsed.items = (1...350).map { number in
      var item = ParsedItem()
      item.id = "many:\(number)"
      item.title = "Many \(number)"
      return item
    }
    let time = Timestamp(seconds: SyncFixture.stored + 1000)
    _ = try await fixture.store.commit([
      RefreshRecord(feedID: fixture.feeds[2].id, state: FetchState.unfetched, parsed: parsed, time: time)
    ])
    for query in ["", "&sort=oldest", "&cluster=1", "&query=Many&sort=relevance"] {
      let answer = try await get(fixture, "api/items?format=json&n=301" + query)
      let items = JSONValue(valid: answer.body)?.array ?? []
      #expect(items.count == 301, "\(query)")
      #expect(Set(items.compactMap { $0["id"]?.integer }).count == 301, "\(query)")
    }
  }

  @Test(arguments: [
    "format=text", "format=nonsense", "sort=nonsense", "since=nonsense", "feed=nonsense", "query=is:nonsense",
    "n=-1",
    "unread=maybe", "fields=nonsense",
  ])
  func `Errors are answered with a status and a sentence`(_ query: String) async throws {
    let answer = try await get(SyncFixture(), "api/items?" + query)
    #expect((400..<500).contains(answer.reply.status))
    #expect(JSONValue(valid: answer.body)?["error"]?.string?.isEmpty == false)
  }

  @Test(arguments: [StoreErrorCode.busy, .full, .unreadable])
  func `While the store cannot be used, clients are asked to try again, also if a module reports it`(
    _ code: StoreErrorCode
  ) {
    let error = StoreError(code: code, message: "locked")
    for error in [error, UserMessage(error)] as [any Error] {
      let reply = SyncReply.refusal(error)
      #expect(reply.status == 503)
      #expect(reply.fields.first("Retry-After") == "5")
    }
  }

  @Test func `Each change after a given change number is listed once`() async throws {
    let fixture = try await SyncFixture()
    let before = try await fixture.store.latestSequence()
    _ = try await fixture.store.mark([2, 3].map(NewsItem.ID.init(rawValue:)), .starred)
    let answer = try await get(fixture, "api/changes?after=\(before)")
    let changes = JSONValue(valid: answer.body)?.array ?? []
    #expect(changes.map { $0["id"]?.integer } == [2, 3])
    #expect(changes.map { $0["kind"]?.string } == ["state", "state"])
    let all = try await get(fixture, "api/changes?format=jsonl")
    #expect(all.body.split(separator: "\n").count == 15)
    let some = try await get(fixture, "api/changes?format=jsonl&query=feed:Plain")
    #expect(some.body.split(separator: "\n").count == 4)
  }

  @Test func `The event stream sends the changes after Last-Event-ID; a number beyond the log gives 400`()
    async throws
  {
    let fixture = try await SyncFixture()
    let before = try await fixture.store.latestSequence()
    _ = try await fixture.store.mark([2, 3].map(NewsItem.ID.init(rawValue:)), .starred)
    let answer = await fixture.reply(
      HTTPRequest(path: ["api", "follow"], fields: HTTPFields([("Last-Event-ID", "\(before)")]))
    )
    #expect(answer.fields.first("Content-Type")?.hasPrefix("text/event-stream") == true)
    guard case .stream(let stream) = answer.body else {
      Issue.record("not a stream")
      return
    }
    #expect(stream.isEndless)
    #expect(try await stream.next().map { String(decoding: $0, as: UTF8.self) } == "retry: 3000\n\n")
    let events = try await stream.next().map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(events.hasPrefix("id: \(before + 1)\nevent: state\ndata: {"))
    #expect(events.contains("\n\nid: \(before + 2)\nevent: state\n"))
    let beyond = try await get(fixture, "api/follow?after=100000")
    #expect(beyond.reply.status == 400)
  }

  @Test func `Sixty-four clients follow the change log at once`() async throws {
    let fixture = try await SyncFixture()
    var open: [HTTPReply] = []
    for _ in 0..<64 { open.append(await fixture.reply(HTTPRequest(path: ["api", "follow"]))) }
    #expect(open.allSatisfy { $0.status == 200 })
    let refused = await fixture.reply(HTTPRequest(path: ["api", "follow"]))
    #expect(refused.status == 503)
    #expect(refused.fields.first("Retry-After") != nil)
    open.removeLast()
    #expect(await fixture.reply(HTTPRequest(path: ["api", "follow"])).status == 200)
  }

  @Test func `Items before id 0 are a bad request`() async throws {
    let fixture = try await SyncFixture()
    #expect(try await get(fixture, "api/items?before=0").reply.status == 400)
  }

  @Test func `Without Last-Event-ID, the event stream sends only later changes`() async throws {
    let fixture = try await SyncFixture()
    let before = try await fixture.store.latestSequence()
    let answer = await fixture.reply(HTTPRequest(path: ["api", "follow"]))
    guard case .stream(let stream) = answer.body else {
      Issue.record("not a stream")
      return
    }
    _ = try await fixture.store.mark([NewsItem.ID(rawValue: 2)], .starred)
    #expect(try await stream.next().map { String(decoding: $0, as: UTF8.self) } == "retry: 3000\n\n")
    let events = try await stream.next().map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(events.hasPrefix("id: \(before + 1)\nevent: state\ndata: {"))
    #expect(!events.contains("\n\nid: "))
  }

  @Test func `A saved search is served as a feed, and answered with 304 while its items stay the same`()
    async throws
  {
    let fixture = try await SyncFixture()
    try await fixture.store.save(SavedSearch(name: "Süß & co", query: "feed:Plain"), at: SyncFixture.now)
    for (ending, type) in [
      ("atom", "application/atom+xml"), ("rss", "application/rss+xml"), ("json", "application/feed+json"),
    ] {
      let path = "q/S%C3%BC%C3%9F%20&%20co.\(ending)"
      let answer = try await get(fixture, path)
      #expect(answer.reply.status == 200)
      #expect(answer.reply.fields.first("Content-Type")?.hasPrefix(type) == true)
      #expect(try FeedParserForTests.items(answer.body).count == 4)
      let tag = try #require(answer.reply.fields.first("ETag"))
      let again = try await get(fixture, path, fields: [("If-None-Match", tag)])
      #expect(again.reply.status == 304)
      #expect(again.body.isEmpty)
    }
    for path in ["q/none.atom", "q/S%C3%BC%C3%9F%20&%20co.pdf", "q/x", "q"] {
      #expect(try await get(fixture, path).reply.status == 404, "\(path)")
    }
  }

  @Test func `A saved search with long items is sent in pieces, with the tag of the whole`() async throws {
    let fixture = try await SyncFixture()
    try await fixture.store.save(SavedSearch(name: "long", query: "long"), at: SyncFixture.now)
    var parsed = ParsedFeed(format: "rss20")
    parsed.items = (1...8).map { number in
      var item = ParsedItem()
      item.id = "long:\(number)"
      item.title = "Long \(number)"
      item.contentText = String(repeating: "word ", count: 40_000)
      return item
    }
    let time = Timestamp(seconds: SyncFixture.stored + 1000)
    _ = try await fixture.store.commit([
      RefreshRecord(feedID: fixture.feeds[2].id, state: FetchState.unfetched, parsed: parsed, time: time)
    ])
    let answer = await fixture.reply(HTTPRequest(path: ["q", "long.json"]))
    guard case .stream(let stream) = answer.body else {
      Issue.record("not a stream")
      return
    }
    var (bytes, longest) = ([UInt8](), 0)
    while let piece = try await stream.next() {
      bytes += piece
      longest = max(longest, piece.count)
    }
    #expect(bytes.count > 1_600_000 && longest < 1_000_000)
    #expect(JSONValue(valid: String(decoding: bytes, as: UTF8.self))?["items"]?.array?.count == 8)
    let tag = "\"\(FNV1a<UInt128>(bytes).value.hexDigits(32))\""
    #expect(answer.fields.all("ETag") == [tag] && answer.fields.all("Cache-Control") == ["private, no-cache"])
    let again = try await get(fixture, "q/long.json", fields: [("If-None-Match", tag)])
    #expect(again.reply.status == 304 && again.body.isEmpty)
  }

  private func post(_ path: [String], _ query: String = "", _ body: String) async throws -> (
    Int, JSONValue, SyncFixture
  ) {
    let fixture = try await SyncFixture()
    let answer = try await fixture.send(
      HTTPRequest(
        method: .post,
        path: path,
        query: HTTPParameters(encoded: query.utf8),
        body: Array(body.utf8)
      )
    )
    return (answer.reply.status, JSONValue(valid: answer.body) ?? .null, fixture)
  }

  @Test func `Items are marked by their ids, and missing ones are named`() async throws {
    let (status, answer, fixture) = try await post(
      ["api", "marks"],
      "{\"ids\": [1, 2, 99], \"state\": \"read\"}"
    )
    #expect(status == 200)
    #expect(answer["marked"]?.integer == 2)
    #expect(answer["missing"]?.array?.map(\.integer) == [99])
    #expect(answer["changed"]?.array?.map(\.integer) == [1, 2])
    #expect(try await fixture.store.streamTotals().unread == 10)
  }

  @Test(arguments: [
    "", "[1]", "{\"ids\": [1]}", "{\"ids\": [1], \"state\": \"x\"}",
    "{\"ids\": [\"1\"], \"state\": \"read\"}",
  ])
  func `A body that is not a valid request to mark items is answered with 400`(_ body: String) async throws {
    let (status, answer, _) = try await post(["api", "marks"], body)
    #expect(status == 400)
    #expect(answer["error"]?.string != nil)
  }

  @Test func `Items are ingested into a feed, and the answer names the lines that could not be read`()
    async throws
  {
    let body = "{\"id\": \"a\", \"title\": \"A\"}\nnonsense\n{\"id\": \"b\", \"title\": \"B\"}\n"
    let (status, answer, fixture) = try await post(["api", "ingest"], "feed=Scripts", body)
    #expect(status == 200)
    #expect(answer["inserted"]?.integer == 2)
    #expect(answer["problems"]?.array?.first?["line"]?.integer == 2)
    #expect(try await fixture.store.feeds().last?.title == "Scripts")
    #expect(try await post(["api", "ingest"], "feed=Scripts", "nonsense\n").0 == 422)
    #expect(try await post(["api", "ingest"], "", body).0 == 400)
  }

  private func post(_ path: [String], _ body: String) async throws -> (Int, JSONValue, SyncFixture) {
    try await post(path, "", body)
  }
}
