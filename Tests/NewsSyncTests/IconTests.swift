@testable import NewsHTTP
import NewsStoresShared
import NewsCore
import NewsToolbox
import Testing

@testable import NewsSync

@Suite struct `Icons for sync clients` {
  private static let png: [UInt8] = [0x89] + Array("PNG and more".utf8)

  /// A fixture whose first feed has an icon.
  private func fixture() async throws -> (fixture: SyncFixture, picture: PictureReference) {
    let fixture = try await SyncFixture()
    let token = String(repeating: "ab", count: 16)
    let picture = PictureReference(id: 41, token: token, type: .png)
    try await fixture.media.keep(
      IconRecord(
        feedID: fixture.feeds[0].id,
        feedHash: 0,
        named: nil,
        due: SyncFixture.now,
        outcome: .found(
          Picture(picture, bytes: Self.png),
          Validators(etag: nil, lastModified: nil, url: "http://example.org/icon")
        )
      ),
      limit: 1 << 20
    )
    return (fixture, picture)
  }

  @Test func `Google Reader's list has an absolute address for every feed, below the prefix`() async throws {
    let (fixture, picture) = try await fixture()
    var request = HTTPRequest(
      target: "/reader/api/0/subscription/list",
      path: ["reader", "api", "0", "subscription", "list"],
      fields: HTTPFields([("Authorization", "GoogleLogin auth=\(FakeAccount.auth)")])
    )
    request.site = WebSite(isSecure: true, host: "example.org", prefix: "/news")
    let list = try #require(JSONValue(valid: try await fixture.send(request).body)?["subscriptions"]?.array)
    let urls = list.compactMap { $0["iconUrl"]?.string }
    #expect(urls.count == 3)
    #expect(urls.first?.hasPrefix("https://example.org/news/icons/\(picture.token)") == true)
    for url in urls {
      let path = url.dropFirst("https://example.org/news/".count).split(separator: "/").map(String.init)
      let reply = await fixture.reply(HTTPRequest(path: path))
      #expect(reply.status == 200)
      #expect(reply.fields.first("Content-Type") == "image/png")
      #expect(reply.fields.first("Cache-Control") == "public, max-age=31536000, immutable")
    }
  }

  @Test func `Pictures need no log-in, and other addresses lead nowhere`() async throws {
    let (fixture, picture) = try await fixture()
    let answer = await fixture.reply(HTTPRequest(path: ["icons", picture.token]))
    guard case .bytes(let bytes) = answer.body else {
      Issue.record("no picture: \(answer.status)")
      return
    }
    #expect(bytes == Self.png)
    for path in [["icons"], ["icons", ""], ["icons", "41"], ["icons", picture.token, "x"]] {
      #expect(await fixture.reply(HTTPRequest(path: path)).status == 404)
    }
  }

  private func miniflux(
    _ fixture: SyncFixture,
    _ path: [String],
    put body: String? = nil
  ) async throws -> (status: Int, value: JSONValue?) {
    let (reply, text) = try await fixture.send(
      HTTPRequest(method: body == nil ? .get : .put, path: ["v1"] + path, body: Array((body ?? "").utf8))
    )
    return (reply.status, JSONValue(valid: text))
  }

  @Test func `Miniflux has the icons by their numbers and by their feeds`() async throws {
    let (fixture, picture) = try await fixture()
    let feeds = try #require(try await miniflux(fixture, ["feeds"]).value?.array)
    #expect(feeds.map { $0["icon"]?["icon_id"]?.integer } == [41, 0, 0])
    let names = feeds.compactMap { $0["icon"]?["external_icon_id"]?.string }
    let name = try #require(names.first)
    #expect(name.hasPrefix(picture.token) && name != picture.token)
    #expect(names.dropFirst() == ["", ""])
    let entries = try #require(
      try await miniflux(fixture, ["feeds", "1", "entries"]).value?["entries"]?.array
    )
    #expect(entries.allSatisfy { $0["feed"]?["icon"]?["icon_id"]?.integer == 41 })
    for path in [["icons", "41"], ["feeds", "1", "icon"]] {
      let icon = try #require(try await miniflux(fixture, path).value)
      #expect(icon["id"]?.integer == 41)
      #expect(icon["mime_type"]?.string == "image/png")
      #expect(icon["data"]?.string == "image/png;base64,\(Base64.encode(Self.png))")
    }
    #expect(try await miniflux(fixture, ["feeds", "2", "icon"]).status == 404)
    #expect(try await miniflux(fixture, ["icons", "42"]).status == 404)
    #expect(await fixture.reply(HTTPRequest(path: ["feed-icon", name])).status == 200)
    #expect(await fixture.reply(HTTPRequest(path: ["feed", "icon", name])).status == 200)
  }

  @Test func `Miniflux stores the position of an enclosure`() async throws {
    let (fixture, _) = try await fixture()
    let entries = try #require(
      try await miniflux(fixture, ["feeds", "3", "entries"]).value?["entries"]?.array
    )
    let enclosure = try #require(entries.first?["enclosures"]?.array?.first)
    let id = String(try #require(enclosure["id"]?.integer))
    #expect(enclosure["media_progression"]?.integer == 0)
    #expect(
      try await miniflux(fixture, ["enclosures", id], put: #"{"media_progression":73}"#).status == 204
    )
    let stored = try #require(try await miniflux(fixture, ["enclosures", id]).value)
    #expect(stored["media_progression"]?.integer == 73)
    #expect(stored["url"]?.string == enclosure["url"]?.string)
    let entry = String(try #require(enclosure["entry_id"]?.integer))
    let again = try #require(try await miniflux(fixture, ["entries", entry]).value)
    #expect(again["enclosures"]?.array?.first?["media_progression"]?.integer == 73)
    #expect(stored["played"]?.bool == false)
    #expect(try await miniflux(fixture, ["enclosures", id], put: #"{"played":true}"#).status == 204)
    let played = try #require(try await miniflux(fixture, ["enclosures", id]).value)
    #expect(played["played"]?.bool == true && played["media_progression"]?.integer == 73)
    for body in ["{}", #"{"media_progression":-1}"#, #"{"media_progression":"7"}"#] {
      #expect(try await miniflux(fixture, ["enclosures", id], put: body).status == 400, "\(body)")
    }
    let missing = String(try #require(Int64(id)) + 1)
    #expect(try await miniflux(fixture, ["enclosures", missing]).status == 404)
    let put = try await miniflux(fixture, ["enclosures", missing], put: #"{"media_progression":1}"#)
    #expect(put.status == 404)
  }

  @Test func `Fever lists the pictures, and feeds without one have the number 0`() async throws {
    let (fixture, _) = try await fixture()
    let (_, body) = try await fixture.send(
      HTTPRequest(
        method: .post,
        path: ["fever"],
        query: HTTPParameters(encoded: "api&feeds&favicons".utf8),
        form: HTTPParameters(encoded: "api_key=\(FakeAccount.key)".utf8)
      )
    )
    let answer = try #require(JSONValue(valid: body), "\(body)")
    #expect(answer["feeds"]?.array?.compactMap { $0["favicon_id"]?.integer } == [41, 0, 0])
    let icons = try #require(answer["favicons"]?.array)
    #expect(icons.map { $0["id"]?.integer } == [41])
    #expect(icons.first?["data"]?.string == "image/png;base64,\(Base64.encode(Self.png))")
  }
}
