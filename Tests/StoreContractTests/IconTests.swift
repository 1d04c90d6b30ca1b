import Glibc
import NewsNetwork
import NewsSQLite
import NewsStoresShared
import NewsSyndication
import NewsCore
import NewsPostgres
import NewsToolbox
import SearchCases
import TestServer
import Testing

@Suite(.everyStore) struct `Icons of feeds` {
  /// The media store of a test's store.
  private func media(_ temporary: TemporaryStore) throws -> any MediaKeeping {
    if let store = temporary.store as? PostgresStore { return store }
    return MediaFile(besides: try #require(temporary.store as? NewsStore).path)
  }

  private func png(_ side: Int, height: Int? = nil, seed: UInt8 = 0) -> [UInt8] {
    [0x89] + Array("PNG\r\n\u{1A}\n\0\0\0\rIHDR\0\0".utf8) + [UInt8(side >> 8), UInt8(side & 255), 0, 0]
      + [UInt8((height ?? side) >> 8), UInt8((height ?? side) & 255), seed]
  }

  private func record(
    _ feed: Int64,
    _ bytes: [UInt8]?,
    number: Int64 = 7,
    token: String = "aa"
  ) -> IconRecord {
    let picture = bytes.map {
      Picture(PictureReference(id: number, token: token, type: .png), bytes: $0)
    }
    return IconRecord(
      feedID: Feed.ID(rawValue: feed),
      feedHash: 1,
      named: nil,
      due: Timestamp(seconds: 100),
      outcome: picture.map { .found($0, Validators(etag: "e", lastModified: nil, url: "http://a/")) }
        ?? .missing
    )
  }

  // MARK: The media store

  @Test func `Equal pictures are stored once, and deleted with their last feed`() async throws {
    let temporary = try TemporaryStore()
    let media = try media(temporary)
    let feeds = [1, 2, 3].map(Feed.ID.init(rawValue:))
    try await media.keep(record(1, png(16)), limit: 1000)
    try await media.keep(record(2, png(16)), limit: 1000)
    // Another picture with the same number gets the next one.
    try await media.keep(record(3, png(32), token: "bb"), limit: 1000)
    let icons = try await media.icons(of: feeds + [Feed.ID(rawValue: 4)])
    #expect(icons.mapValues(\.id) == [feeds[0]: 7, feeds[1]: 7, feeds[2]: 8])
    #expect(try await media.picture(token: "bb")?.bytes == png(32))
    let state = try #require(try await media.iconStates(of: feeds)[feeds[0]])
    #expect(state.validators == Validators(etag: "e", lastModified: nil, url: "http://a/"))
    try await media.keep(record(1, nil), limit: 1000)
    #expect(try await media.picture(id: 7) != nil)
    try await media.keep(record(2, nil), limit: 1000)
    #expect(try await media.picture(id: 7) == nil)
    #expect(try await media.iconStates(of: feeds).count == 3)
    try await media.removeIcons(dueBefore: Timestamp(seconds: 101))
    #expect(try await media.picture(id: 8) == nil)
    #expect(try await media.iconStates(of: feeds).isEmpty)
  }

  @Test func `A picture without room is left out, and a copy has all others`() async throws {
    let temporary = try TemporaryStore()
    let media = try media(temporary)
    let feeds = [1, 2].map(Feed.ID.init(rawValue:))
    let limit = Int64(png(16).count)
    try await media.keep(record(1, png(16)), limit: limit)
    try await media.keep(record(2, png(16, seed: 1), token: "bb"), limit: limit)
    #expect(try await media.icons(of: feeds).keys.map(\.rawValue) == [1])
    #expect(try await media.iconStates(of: feeds).count == 2)
    let path = "/tmp/newsd-media-\(UInt64.random(in: 0...UInt64.max))"
    defer { for suffix in ["", "-wal", "-shm"] { unlink(path + ".media" + suffix) } }
    let copy = MediaFile(besides: path)
    try await media.copy(to: copy)
    #expect(try await copy.icons(of: feeds) == media.icons(of: feeds))
    #expect(try await copy.iconStates(of: feeds) == media.iconStates(of: feeds))
    #expect(try await copy.picture(id: 7)?.bytes == png(16))
  }

  // MARK: Looking up

  private func lookup(
    _ temporary: TemporaryStore,
    at seconds: Int64 = 5_000_000,
    shared: SharedIcons? = nil,
    reachesTyped: Bool = true
  ) throws -> IconLookup {
    var configuration = NetworkConfiguration(userAgent: "newsd-test/1")
    configuration.spacing = 0
    return IconLookup(
      fetcher: CurlFetcher(configuration: configuration),
      finder: IconDiscovery(),
      store: temporary.store,
      media: try media(temporary),
      clock: FixedClock(seconds: seconds),
      reach: .publicOnly,
      reachesTyped: reachesTyped,
      limits: FetchLimits(),
      mediaBytes: 1 << 20,
      shared: shared
    )
  }

  /// Subscribes to a feed on the server that the user has typed, so that newsd may connect to the server's own origin.
  private func subscribe(_ temporary: TemporaryStore, _ server: TestServer, named icon: String? = nil)
    async throws -> Feed
  {
    var settings = FeedSettings()
    settings.allowsLocalOrigin = true
    let feed = try await temporary.store.add(
      NewFeed(url: server.url("/feed"), settings: settings),
      at: Timestamp(seconds: 1)
    )
    var parsed = ParsedFeed(format: "rss20")
    parsed.homePageURL = server.url("/site/")
    parsed.favicon = icon
    let time = Timestamp(seconds: 2)
    _ = try await temporary.store.commit([
      RefreshRecord(feedID: feed.id, state: FetchState.unfetched, parsed: parsed, time: time)
    ])
    return feed
  }

  private func page(_ links: String) -> Reply {
    .ok("<html><head>\(links)</head></html>", headers: [("Content-Type", "text/html")])
  }

  @Test func `The picture that the feed names is taken first`() async throws {
    let temporary = try TemporaryStore()
    let server = try TestServer()
    defer { server.stop() }
    server.on("/named", .ok(png(24), headers: [("Content-Type", "text/html"), ("ETag", "\"1\"")]))
    let feed = try await subscribe(temporary, server, named: server.url("/named"))
    let summary = try await lookup(temporary).run()
    #expect(summary.found == 1)
    let media = try media(temporary)
    let icon = try #require(try await media.icons(of: [feed.id])[feed.id])
    #expect(icon.type == .png)
    #expect(try await media.picture(token: icon.token)?.bytes == png(24))
    #expect(server.requests.map(\.target) == ["/named"])
    // It is not due again before a month has passed; then the server's 304 keeps it.
    #expect(try await lookup(temporary).run() == IconLookup.Summary())
    server.on("/named", .status(304))
    let month = try await lookup(temporary, at: 5_000_000 + 34 * 86_400).run()
    #expect(month.unchanged == 1)
    #expect(server.requests(to: "/named").last?.header("If-None-Match") == "\"1\"")
    #expect(try await media.icons(of: [feed.id])[feed.id] == icon)
    // Another address in the feed is looked up at once.
    server.on("/other", .ok(png(25)))
    var parsed = ParsedFeed(format: "rss20")
    parsed.icon = server.url("/other")
    _ = try await temporary.store.commit([
      RefreshRecord(feedID: feed.id, state: FetchState.unfetched, parsed: parsed, time: Timestamp(seconds: 3))
    ])
    #expect(try await lookup(temporary, at: 5_000_000 + 34 * 86_400).run().found == 1)
    #expect(try await media.picture(token: icon.token) == nil)
  }

  @Test func `The site's largest icon up to 128 pixels is taken, then favicon.ico`() async throws {
    let temporary = try TemporaryStore()
    let server = try TestServer()
    defer { server.stop() }
    server.on(
      "/site/",
      page(
        """
        <link rel="icon" href="big" sizes="512x512"><link rel="shortcut icon" href="16" sizes="16x16">
        <link rel=icon href="/drawing.svg"><link rel=icon type="image/png" sizes="32x32 96x96" href=96>
        """
      )
    )
    server.on("/site/96", .ok(png(96)))
    let feed = try await subscribe(temporary, server)
    #expect(try await lookup(temporary).run().found == 1)
    let media = try media(temporary)
    let first = try #require(try await media.icons(of: [feed.id])[feed.id])
    #expect(try await media.picture(id: first.id)?.bytes == png(96))
    #expect(server.requests.map(\.target) == ["/site/", "/site/96"])
    // The page has no icon any more.
    server.on("/site/", page(""))
    server.on("/favicon.ico", .ok(png(16)))
    #expect(try await lookup(temporary, at: 9_000_000).run().found == 1)
    let second = try #require(try await media.icons(of: [feed.id])[feed.id])
    #expect(try await media.picture(id: second.id)?.bytes == png(16))
  }

  @Test func `Hostile pictures are refused, and the search continues`() async throws {
    let temporary = try TemporaryStore()
    let server = try TestServer()
    // The address guard allows the origin that the user typed, and no other one of this machine.
    let inner = try TestServer(address: "127.0.0.2")
    defer {
      server.stop()
      inner.stop()
    }
    server.on("/named", .ok("<html>no picture</html>", headers: [("Content-Type", "image/png")]))
    server.on(
      "/site/",
      page("<link rel=icon href=huge><link rel=icon href=inner><link rel=icon href=banner>")
    )
    server.on("/site/huge", .ok(png(16) + [UInt8](repeating: 0, count: 20 << 20)))
    server.on("/site/inner", .redirect(302, to: inner.url("/icon.png")))
    inner.on("/icon.png", .ok(png(16)))
    server.on("/site/banner", .ok(png(300, height: 60)))
    server.on("/favicon.ico", .ok("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>"))
    let feed = try await subscribe(temporary, server, named: server.url("/named"))
    let summary = try await lookup(temporary).run()
    #expect(summary.missing == 1)
    #expect(try await media(temporary).icons(of: [feed.id]).isEmpty)
    #expect(inner.requests.isEmpty)
    #expect(server.requests(to: "/favicon.ico").count == 1)
    #expect(server.requests(to: "/site/banner").count == 1)
  }

  @Test func `A server that fails leaves the icon and is asked again the next day`() async throws {
    let temporary = try TemporaryStore()
    let server = try TestServer()
    defer { server.stop() }
    server.on("/favicon.ico", .ok(png(16)), .status(503))
    let feed = try await subscribe(temporary, server)
    #expect(try await lookup(temporary).run().found == 1)
    let later: Int64 = 5_000_000 + 34 * 86_400
    #expect(try await lookup(temporary, at: later).run().unchanged == 1)
    #expect(try await media(temporary).icons(of: [feed.id]).count == 1)
    #expect(try await lookup(temporary, at: later + 80_000).run() == IconLookup.Summary())
    #expect(try await lookup(temporary, at: later + 87_000).run().unchanged == 1)
  }

  @Test func `Accounts that share look-ups have an icon asked for once, unless their requests differ`()
    async throws
  {
    let server = try TestServer()
    defer { server.stop() }
    server.on("/site/", page("<link rel=icon href=/icon>"))
    server.on("/icon", .ok(png(16)))
    let shared = SharedIcons()
    let accounts = try (0..<3).map { _ in try TemporaryStore() }
    for account in accounts { _ = try await subscribe(account, server) }
    let lookups = try accounts.map { try lookup($0, shared: shared) }
    async let first = lookups[0].run()
    async let second = lookups[1].run()
    let found = try await first.found + second.found
    #expect(found == 2)
    #expect(try await lookups[2].run().found == 1)
    #expect(server.requests.map(\.target) == ["/site/", "/icon"])
    for account in accounts {
      let feed = try #require(try await account.store.feeds().first)
      let icon = try #require(try await media(account).icons(of: [feed.id])[feed.id])
      #expect(try await media(account).picture(token: icon.token)?.bytes == png(16))
    }
    // An account that must not reach the address gets nothing that another one has from it.
    let stranger = try TemporaryStore()
    _ = try await subscribe(stranger, server)
    #expect(try await lookup(stranger, shared: shared, reachesTyped: false).run().missing == 1)
    // A feed with a header of its own asks itself.
    let other = try TemporaryStore()
    let feed = try await subscribe(other, server)
    var settings = feed.settings
    settings.headers = ["X-Key: 1"]
    _ = try await other.store.update(feed.id, settings: settings)
    #expect(try await lookup(other, shared: shared).run().found == 1)
    #expect(server.requests(to: "/icon").count == 2)
  }

  // MARK: Addresses

  @Test func `Every feed has an address, which names no content and leads to a picture`() async throws {
    let temporary = try TemporaryStore()
    let media = try media(temporary)
    let server = try TestServer()
    defer { server.stop() }
    server.on("/favicon.ico", .ok(png(16)))
    let found = try await subscribe(temporary, server)
    let other = try await temporary.subscribe("http://example.org/other")
    _ = try await lookup(temporary).run()
    let icons = FeedIcons(media: media, secrets: temporary.store)
    let paths = try await icons.paths(of: [found.id, other.id])
    #expect(paths.count == 2)
    let hash = Hex.encode(SecureHash.sha256.digest(png(16)))
    for (feed, path) in paths {
      #expect(path.hasPrefix("/icons/"))
      let name = String(path.dropFirst("/icons/".count))
      let token = String(name.prefix(32))
      #expect(!hash.hasPrefix(token))
      let picture = try #require(try await icons.picture(named: name))
      #expect(PictureHeader(picture.bytes)?.type == .png)
      #expect((picture.bytes == png(16)) == (feed == found.id))
      let secret = try await temporary.store.serverSecret()
      #expect(FeedIcons.isName(name, signedWith: secret))
      #expect(!FeedIcons.isName(name, signedWith: secret.reversed()))
      #expect(try await icons.picture(named: token) == picture)
      for other in [String(name.dropLast()), name + "0", token + String(repeating: "0", count: 16)] {
        #expect(!FeedIcons.isName(other, signedWith: secret))
        #expect(try await icons.picture(named: other) == nil)
      }
    }
    #expect(try await icons.picture(named: String(repeating: "0", count: 32)) == nil)
    // Another store has other addresses for the same picture.
    let second = try TemporaryStore()
    let elsewhere = FeedIcons(media: try self.media(second), secrets: second.store)
    #expect(try await elsewhere.paths(of: [other.id])[other.id] != paths[other.id])
  }

  @Test func `The addresses that feeds name are part of an export, and go with the feed`() async throws {
    let temporary = try TemporaryStore()
    let server = try TestServer()
    server.stop()
    let feed = try await subscribe(temporary, server, named: "https://example.org/icon.png")
    let copy = try TemporaryStore()
    _ = try await StoreCopy().copy(from: temporary.store, to: copy.store)
    let named = [feed.id: "https://example.org/icon.png"]
    #expect(try await copy.store.namedIcons(of: [feed.id]) == named)
    try await copy.store.remove(feed.id)
    #expect(try await copy.store.namedIcons(of: [feed.id]).isEmpty)
    #expect(try await copy.store.check().isEmpty)
  }
}

private struct FixedClock: WallClock {
  let seconds: Int64
  func now() -> Timestamp { Timestamp(seconds: seconds) }
}
