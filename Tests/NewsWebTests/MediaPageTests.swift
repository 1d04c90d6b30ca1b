import NewsCore
import NewsHTTP
import Synchronization
import Testing

@testable import DIContainer

@testable import NewsWeb

/// A publisher's server with one recording and one picture.
private final class FakePublisher: Fetching {
  let requests = Mutex<[FetchRequest]>([])
  /// Number of bytes after each picture.
  let padding = Mutex(0)
  /// The length of the recording that it claims; nil: the true one.
  let claimedLength = Mutex<Int64?>(nil)
  let recording = Array("ID3".utf8) + (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 % 251) }
  static let gif = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x3B]

  func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    requests.withLock { $0.append(request) }
    func answer(_ status: Int, _ body: [UInt8], _ headers: [(name: String, value: String)] = [])
      -> FetchResponse
    {
      FetchResponse(status: status, headers: headers, body: body, url: request.url, received: WebRig.now)
    }
    if request.url.hasSuffix(".json") {
      let text =
        "{\"chapters\":[{\"startTime\":60.5,\"title\":\"<Two>\"},{\"startTime\":0,\"title\":\"One\"}]}"
      return answer(200, Array(text.utf8))
    }
    if request.url.contains(".gif") {
      return answer(200, Self.gif + [UInt8](repeating: 0, count: padding.withLock { $0 }))
    }
    if request.url.hasSuffix(".html") { return answer(200, Array("<html>".utf8)) }
    guard let range = request.range else { return answer(200, recording) }
    let end = min(Int(range.upperBound), recording.count)
    let length = claimedLength.withLock { $0 } ?? Int64(recording.count)
    let value = "bytes \(range.lowerBound)-\(end - 1)/\(length)"
    return answer(206, Array(recording[Int(range.lowerBound)..<end]), [("Content-Range", value)])
  }
}

@Suite struct `Web page: media` {
  private func makeRig(_ publisher: FakePublisher, relays: Bool = true) async throws -> WebRig {
    let rig = try WebRig(fetcher: publisher, relaysMedia: relays)
    var item = ParsedItem()
    item.id = "1"
    item.title = "Episode"
    item.image = "https://pub.example/cover.gif"
    item.contentHTML = "<p><img src=\"https://pub.example/a.gif?a=1&amp;b=2\" alt=\"A\"></p>"
    item.enclosures = [Enclosure(url: "https://pub.example/a.mp3", mimeType: "audio/mpeg")]
    var extensions = ItemExtensions()
    extensions.chapters = Link(href: "https://pub.example/chapters.json")
    item.extensions = extensions
    try await rig.fill([item])
    await rig.logIn()
    return rig
  }

  private func fetch(_ rig: WebRig, _ reference: String, range: String? = nil) async -> Answer {
    let text = reference.replacing("&amp;", with: "&")
    let parts = text.split(separator: "?", maxSplits: 1).map(String.init)
    let fields = range.map { [(name: "Range", value: $0)] } ?? []
    return await rig.get(
      String(parts[0].dropFirst("/news/".count)),
      parts.count > 1 ? parts[1] : "",
      fields: fields
    )
  }

  private func bytes(_ answer: Answer) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let part = try await answer.stream?.next() { bytes += part }
    return bytes
  }

  @Test func `With the proxy, a page loads nothing from elsewhere`() async throws {
    let rig = try await makeRig(FakePublisher())
    let page = await rig.get("item/1")
    let policy = page.fields.first("Content-Security-Policy") ?? ""
    #expect(policy.contains("img-src 'self' data:;") && policy.contains("media-src 'self' data:;"))
    for source in page.all(from: " src=\"", to: "\"") { #expect(source.hasPrefix("/news/"), "\(source)") }
    #expect(page.all(from: " src=\"", to: "\"").count { $0.contains("/media/picture/") } == 1)
    let direct = try await makeRig(FakePublisher(), relays: false).get("item/1")
    #expect(direct.fields.first("Content-Security-Policy")?.contains("img-src 'self' https:") == true)
    #expect(direct.text.contains("<audio controls preload=\"none\" src=\"https://pub.example/a.mp3\">"))
  }

  @Test func `The page of an episode says what is played, and how long it takes`() async throws {
    let rig = try WebRig()
    var item = ParsedItem()
    (item.id, item.title, item.image) = ("1", "Night trains", "https://pub.example/cover.gif")
    item.contentHTML = "<p>Notes</p>"
    item.enclosures = [
      Enclosure(url: "https://pub.example/a.mp3", mimeType: "audio/mpeg", size: 1_500_000, duration: 125)
    ]
    var extensions = ItemExtensions()
    extensions.episode = "40"
    item.extensions = extensions
    try await rig.fill([item])
    await rig.logIn()
    let page = await rig.get("item/1")
    let recording = try #require(page.all(from: "<div class=\"recording\"", to: "</div></div>").first)
    #expect(recording.contains("<bdi>Night trains</bdi> <span class=\"quiet\">02:05</span>"))
    #expect(recording.contains(">Audio, 1.4 MiB, download</a>") && !recording.contains(">https://"))
    #expect(recording.contains("<img class=\"cover\"") && !page.text.contains("<figure"))
    let meta = try #require(page.all(from: "<p class=\"meta\">", to: "</p>").first)
    #expect(meta.contains(">Episode 40<") && meta.contains(">02:05<"))
    #expect(!page.text.contains("<dt>Episode</dt>") && !page.text.contains("<dt>Duration</dt>"))
  }

  @Test func `A picture is fetched with its own address, and typed by its bytes`() async throws {
    let publisher = FakePublisher()
    let rig = try await makeRig(publisher)
    let page = await rig.get("item/1")
    let source = try #require(page.all(from: "<img", to: ">").first { $0.contains("alt=\"A\"") })
    let path = try #require(source.split(separator: "src=\"").last?.split(separator: "\"").first)
    let answer = await fetch(rig, String(path))
    #expect(answer.status == 200, "\(path) \(answer.text)")
    #expect(answer.fields.first("Content-Type") == "image/gif")
    #expect(answer.fields.first("Content-Security-Policy") == "default-src 'none'; sandbox")
    let request = try #require(publisher.requests.withLock { $0.last })
    #expect(request.url == "https://pub.example/a.gif?a=1&b=2" && request.isUrgent)
    #expect(request.reach == .publicOnly && request.limits.bodyBytes == 20 << 20)
    // Without the signature, newsd fetches nothing.
    let forged = String(path).replacing("a.gif", with: "b.gif")
    #expect(await fetch(rig, forged).status == 404)
    #expect(publisher.requests.withLock { $0.count } == 1)
  }

  @Test func `Pictures of starred and labelled items are kept within the size, and the oldest leave first`()
    async throws
  {
    let publisher = FakePublisher()
    publisher.padding.withLock { $0 = 100 - FakePublisher.gif.count }
    var size = 1000
    let rig = try WebRig(fetcher: publisher) {
      $0.web.media = .cache
      $0.web.mediaSize = size
    }
    func item(_ name: String) -> ParsedItem {
      ParsedItem(
        name,
        html: "<img src=\"https://pub.example/\(name).gif?a=1&amp;b=2\" srcset=\"x 2x\" alt=\"\(name)\">"
      )
    }
    try await rig.fill([item("new"), item("middle"), item("old"), item("plain")])
    let ids = try await rig.ids().map { NewsItem.ID(rawValue: $0) }
    _ = try await rig.store.mark([ids[0], ids[2]], .starred)
    try await rig.store.edit([ids[1]], StreamEdit(addedLabels: ["Keep"]))
    var failed: Set<String> = []
    let watched = WatchedMedia(try rig.services.media())
    func run(_ size: Int) async throws -> PictureCache.Summary {
      watched.most.withLock { $0 = 0 }
      let relay = MediaRelay(fetcher: publisher, store: rig.store, reach: .publicOnly, limits: FetchLimits())
      let cache = PictureCache(
        relay: relay,
        news: rig.store,
        media: watched,
        limit: Int64(size)
      )
      return try await cache.run(skipping: &failed)
    }
    watched.hasRoom.withLock { $0 = false }
    let error = await #expect(throws: StoreError.self) { _ = try await run(size) }
    #expect(error?.code == .full && publisher.requests.withLock { $0.isEmpty })
    watched.hasRoom.withLock { $0 = true }
    var summary = try await run(size)
    #expect(summary.kept == 3 && summary.removed == 0 && summary.failed == 0)
    func kept() async throws -> [String] {
      let media = try rig.services.media()
      return try await media.keptSizes().values.flatMap(\.keys).map { String($0.dropFirst(20).prefix(3)) }
        .sorted()
    }
    #expect(try await kept() == ["mid", "new", "old"])
    // They are not fetched again, neither by the next run nor for the page.
    let count = publisher.requests.withLock { $0.count }
    #expect(try await run(size) == PictureCache.Summary())
    let media = try rig.services.media()
    let relay = MediaRelay(
      fetcher: publisher,
      store: rig.store,
      kept: media,
      reach: .publicOnly,
      limits: FetchLimits()
    )
    let address = MediaAddress(.picture, Feed.ID(rawValue: 1), "https://pub.example/new.gif?a=1&b=2")
    #expect(try await relay.picture(address).bytes.count == 100)
    #expect(publisher.requests.withLock { $0.count } == count)
    #expect(try await rig.services.keptPictures().count == 3)
    // With less room, those of the newest items stay.
    size = 250
    summary = try await run(size)
    #expect(summary.removed == 1)
    #expect(try await kept() == ["mid", "new"])
    _ = try await rig.store.mark([ids[0]], .unstarred)
    _ = try await run(size)
    #expect(try await kept() == ["mid", "old"])
    // A new picture takes the place of the oldest one, which is not asked for again.
    _ = try await rig.store.mark([ids[0]], .starred)
    let before = publisher.requests.withLock { $0.count }
    summary = try await run(size)
    #expect(summary.kept == 1 && summary.removed == 1)
    #expect(try await kept() == ["mid", "new"])
    #expect(publisher.requests.withLock { $0.count } == before + 1)
    #expect(watched.most.withLock { $0 } == 200)
    #expect(failed.isEmpty)
  }

  @Test func `A recording is sent part by part, whole or in ranges`() async throws {
    let publisher = FakePublisher()
    let rig = try await makeRig(publisher)
    let path = try #require(
      await rig.get("item/1").all(from: "<audio controls preload=\"none\" src=\"", to: "\"").first
    )
    let whole = await fetch(rig, path)
    #expect(whole.status == 200 && whole.fields.first("Content-Type") == "audio/mpeg")
    #expect(whole.fields.first("Accept-Ranges") == "bytes")
    #expect(publisher.requests.withLock { $0.count } == 1)
    #expect(try await bytes(whole) == publisher.recording)
    #expect(publisher.requests.withLock { $0.allSatisfy { ($0.range?.count ?? .max) <= 1 << 20 } })
    let part = await fetch(rig, path, range: "bytes=1000-1999")
    #expect(part.status == 206)
    #expect(part.fields.first("Content-Range") == "bytes 1000-1999/3000003")
    #expect(try await bytes(part) == Array(publisher.recording[1000..<2000]))
    let tail = await fetch(rig, path, range: "bytes=-3")
    #expect(try await bytes(tail) == Array(publisher.recording.suffix(3)))
    let beyond = await fetch(rig, path, range: "bytes=3000003-")
    #expect(beyond.status == 416 && beyond.fields.first("Content-Range") == "bytes */3000003")
  }

  @Test func `A recording of an impossible length is refused`() async throws {
    let publisher = FakePublisher()
    let rig = try await makeRig(publisher)
    let path = try #require(
      await rig.get("item/1").all(from: "<audio controls preload=\"none\" src=\"", to: "\"").first
    )
    for length: Int64 in [.max, 1 << 40 + 1] {
      publisher.claimedLength.withLock { $0 = length }
      for range in [nil, "bytes=-1000", "bytes=9223372036854775000-"] {
        #expect(await fetch(rig, path, range: range).status == 502, "\(length) \(range ?? "whole")")
      }
    }
    publisher.claimedLength.withLock { $0 = nil }
    #expect(await fetch(rig, path, range: "bytes=-3").status == 206)
  }

  @Test func `At most four recordings of a feed are sent at once`() async throws {
    let rig = try await makeRig(FakePublisher())
    let path = try #require(
      await rig.get("item/1").all(from: "<audio controls preload=\"none\" src=\"", to: "\"").first
    )
    var streams: [Answer] = []
    for _ in 0..<4 { streams.append(await fetch(rig, path)) }
    #expect(streams.allSatisfy { $0.status == 200 })
    #expect(await fetch(rig, path).status == 503)
    streams.removeLast()
    #expect(await fetch(rig, path).status == 200)
  }

  @Test func `A picture that finds no memory waits until another one is sent`() async throws {
    let publisher = FakePublisher()
    publisher.padding.withLock { $0 = (20 << 20) - FakePublisher.gif.count }
    let rig = try await makeRig(publisher)
    let page = await rig.get("item/1")
    let path = try #require(page.all(from: " src=\"", to: "\"").first { $0.contains("/media/picture/") })
    var answers: [Answer] = []
    for _ in 0..<8 { answers.append(await fetch(rig, path)) }
    #expect(answers.allSatisfy { $0.status == 200 })
    #expect(publisher.requests.withLock { $0.count } == 8)
    let waiting = Task { await fetch(rig, path).status }
    let cancelled = Task { await fetch(rig, path).status }
    cancelled.cancel()
    #expect(await cancelled.value == 503)
    #expect(publisher.requests.withLock { $0.count } == 8)
    answers.removeLast()
    #expect(await waiting.value == 200)
    #expect(publisher.requests.withLock { $0.count } == 9)
  }

  @Test func `Chapters are read for the player, in order`() async throws {
    let rig = try await makeRig(FakePublisher(), relays: false)
    let path = try #require(await rig.get("item/1").all(from: "data-chapters=\"", to: "\"").first)
    let answer = await fetch(rig, path)
    #expect(answer.text == #"[{"start":0,"title":"One"},{"start":60,"title":"<Two>"}]"#)
  }

  @Test func `The player's position is stored, and the end marks the item read`() async throws {
    let rig = try await makeRig(FakePublisher())
    #expect(await rig.post("items/1/enclosures/0", [("position", "75")]).status == 200)
    #expect(await rig.get("item/1").text.contains("data-position=\"75\""))
    #expect(try await rig.store.item(NewsItem.ID(rawValue: 1)).isRead == false)
    #expect(
      await rig.post("items/1/enclosures/0", [("position", "0"), ("played", "1"), ("read", "1")]).status
        == 200
    )
    #expect(try await rig.store.item(NewsItem.ID(rawValue: 1)).isRead)
    #expect(await rig.get("item/1").text.contains("· played"))
    #expect(await rig.post("items/1/enclosures/0", [("position", "75")], hasToken: false).status == 403)
    let missing = await rig.post(
      "items/1/enclosures/9",
      [("position", "75")],
      fields: [("Accept", "application/json")]
    )
    #expect(missing.status == 404)
  }

  @Test(
    arguments: [
      ("bytes=0-", 0, nil), ("bytes=5-9", 5, 9), ("bytes=-7", -7, nil),
    ] as [(String, Int64, Int64?)]
  )
  func `A range of bytes is read`(field: String, start: Int64, end: Int64?) {
    #expect(ByteRange(field)?.start == start && ByteRange(field)?.end == end)
  }

  @Test(arguments: ["bytes=", "bytes=9-5", "items=0-1", "bytes=0-1,5-6", "bytes=a-b", "bytes=-0"])
  func `Other ranges are passed over`(field: String) {
    #expect(ByteRange(field) == nil)
  }
}

/// A media store that notes how many bytes of pictures it has had at once.
private final class WatchedMedia: MediaKeeping {
  let most = Mutex(0)
  let hasRoom = Mutex(true)
  private let media: any MediaKeeping

  init(_ media: any MediaKeeping) { self.media = media }

  func keep(_ picture: KeptPicture) async throws(StoreError) {
    try await media.keep(picture)
    let bytes = try await media.keptSizes().values.reduce(0) { $0 + $1.values.reduce(0, +) }
    most.withLock { $0 = max($0, bytes) }
  }

  func requireRoom() async throws(StoreError) {
    guard hasRoom.withLock({ $0 }) else { throw StoreError(code: .full, message: "no room") }
  }
  func keptSizes() async throws(StoreError) -> [Feed.ID: [String: Int]] { try await media.keptSizes() }
  func removeKept(_ pictures: [Feed.ID: [String]]) async throws(StoreError) {
    try await media.removeKept(pictures)
  }
  func iconBytes() async throws(StoreError) -> Int64 { try await media.iconBytes() }
  func keptPicture(_ url: String, of feed: Feed.ID) async throws(StoreError) -> KeptPicture? {
    try await media.keptPicture(url, of: feed)
  }

  // What keeping pictures does not call.
  func icons(of feeds: [Feed.ID]) async throws(StoreError) -> [Feed.ID: PictureReference] { [:] }
  func iconStates(of feeds: [Feed.ID]) async throws(StoreError) -> [Feed.ID: IconState] { [:] }
  func keep(_ record: IconRecord, limit: Int64) async throws(StoreError) {}
  func picture(token: String) async throws(StoreError) -> Picture? { nil }
  func picture(id: Int64) async throws(StoreError) -> Picture? { nil }
  func removeIcons(dueBefore time: Timestamp) async throws(StoreError) {}
  func records(after feed: Feed.ID?, limit: Int) async throws(StoreError) -> [IconRecord] { [] }
}
