import NewsCore
import Testing

@Suite struct `Recording and replaying` {
  let clock = ManualClock()
  let records = FakeRecords()
  let web: FakeWeb
  static let body = "feed News\nitem a 1795000000 First\n"

  init() {
    web = FakeWeb(clock: clock)
  }

  private func replayer() throws -> FetchReplayer {
    try FetchReplayer(records: records, clock: ManualClock(Timestamp(seconds: 0)))
  }

  @Test func `A replayed response equals the recorded one, without cookies`() async throws {
    let recorder = FetchRecorder(web, records: records)
    web.set("https://a.example/feed", .redirect(301, "https://b.example/feed"))
    web.set(
      "https://b.example/feed",
      .response(200, ["ETag": "\"a: b\"", "Set-Cookie": "id=1"], "x\n\n\u{0}y\r\n")
    )
    let request = FetchRequest(
      url: "https://a.example/feed",
      validators: Validators(etag: "1", url: "https://b.example/feed")
    )
    let first = try await recorder.fetch(request)
    #expect(web.requests[0].validators == nil)
    let replayer = try replayer()
    #expect(replayer.urls == ["https://a.example/feed"])
    let second = try await replayer.fetch(request)
    #expect(second.body == first.body)
    #expect(second.status == 200)
    #expect(second.url == "https://b.example/feed")
    #expect(second.hops == first.hops)
    #expect(second.header("etag") == "\"a: b\"")
    #expect(second.header("set-cookie") == nil)
    #expect(second.received == first.received)
    #expect(replayer.now() == clock.now())
  }

  @Test func `Recorded errors are replayed as errors, and unrecorded URLs fail`() async throws {
    web.set("https://a.example/feed", .failure(.tls))
    _ = try? await FetchRecorder(web, records: records).fetch(FetchRequest(url: "https://a.example/feed"))
    await #expect(throws: FetchError.self) {
      try await replayer().fetch(FetchRequest(url: "https://a.example/feed"))
    }
    await #expect(throws: FetchError.self) {
      try await replayer().fetch(FetchRequest(url: "https://b.example/feed"))
    }
  }

  @Test func `Recordings contain no passwords`() async throws {
    web.set("https://me:secret@a.example/feed", .response(200, [:], Self.body))
    _ = try await FetchRecorder(web, records: records).fetch(
      FetchRequest(url: "https://me:secret@a.example/feed")
    )
    for name in try records.names() {
      #expect(!String(decoding: try records.read(named: name), as: UTF8.self).contains("secret"))
      #expect(!name.contains("secret"))
    }
  }

  @Test func `Replaying a folder refreshes an empty store once per recording`() async throws {
    let recorder = FetchRecorder(web, records: records)
    web.set(
      "https://a.example/feed",
      .response(200, [:], Self.body),
      .response(200, [:], Self.body + "item b 1795000100 Second\n")
    )
    for _ in 0..<2 { _ = try await recorder.fetch(FetchRequest(url: "https://a.example/feed")) }
    try records.write(Array("something else".utf8), named: "notes.exchange")
    let store = FakeStore()
    let replayer = try replayer()
    #expect(replayer.unreadable == ["notes.exchange"])
    let summary = try await Replay(
      replayer: replayer,
      parser: FakeParser(),
      subscriptions: store,
      store: store
    ).run()
    #expect(summary.newItems == 1)
    #expect(store.with { $0.feeds.map(\.title) } == ["News"])
    #expect(store.items(Feed.ID(rawValue: 1)).map(\.id) == ["a", "b"])
  }

  @Test func `A folder without recordings is an error`() {
    #expect(throws: FileError.self) { try replayer() }
  }
}
