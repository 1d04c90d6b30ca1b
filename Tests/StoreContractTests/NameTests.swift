import NewsCore
import NewsStoresShared
import SearchCases
import Testing

@Suite(.everyStore) struct `Names in a store` {
  /// A text that no server can compress.
  private static func name(_ length: Int) -> String {
    var state: UInt64 = 1
    return String(
      decoding: (0..<length).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(ascii: "A") + UInt8((state >> 33) % 26)
      },
      as: UTF8.self
    )
  }

  private func give(_ name: String, to kind: String, of feed: Feed, _ store: any StorePorts) async throws {
    let time = Timestamp(seconds: 5)
    switch kind {
    case "title": try await store.rename(feed.id, to: name)
    case "folder": try await store.move(feed.id, toFolder: name)
    case "made folder": try await store.makeFolder(MadeFolder(name: name))
    case "folder's settings":
      var settings = FeedSettings()
      settings.article = .always
      try await store.keep(settings, forFolder: name)
    case "renamed folder":
      try await store.move(feed.id, toFolder: "Former")
      try await store.moveFolder("Former", to: name)
    case "search": try await store.save(SavedSearch(name: name, query: "x"), at: time)
    case "password":
      _ = try await store.addAppPassword(named: name, hash: [1], feverHash: [2], made: time)
    default:
      _ = try await store.add(NewFeed(url: "http://example.org/\(name.utf8.count)", title: name), at: time)
    }
  }

  @Test(
    arguments: [
      "title", "folder", "made folder", "folder's settings", "renamed folder", "search", "password", "feed",
    ]
  )
  func `A name of 1000 bytes is stored, and a longer one refused`(kind: String) async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    try await give(Self.name(GivenName.longest), to: kind, of: feed, store)
    for length in [GivenName.longest + 1, 10_000] {
      let error = await #expect(throws: StoreError.self, "\(length)") {
        try await give(Self.name(length), to: kind, of: feed, store)
      }
      #expect(error?.code == .badQuery)
      #expect(error?.message.contains("at most 1000 bytes") == true)
    }
  }

  @Test func `A folder is not renamed if the names of its subfolders would be too long`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    let inner = "A/" + Self.name(600)
    try await store.move(feed.id, toFolder: inner)
    await #expect(throws: StoreError.self) { try await store.moveFolder("A", to: Self.name(600)) }
    #expect(try await store.feed(feed.id).folder == inner)
  }
}
