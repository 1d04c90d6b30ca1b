import NewsCore
import NewsStoresShared
import SearchCases
import Testing

@Suite(.everyStore) struct `Subscriptions in the store` {
  private func order(_ store: any StorePorts) async throws -> [String] {
    try await store.feeds().map(\.url)
  }

  @Test func `Feeds keep the user's order through moves and removals`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feeds = try await store.add("abcde".map { NewFeed(url: String($0)) }, at: Timestamp(seconds: 1)).added
    try await store.move(feeds[4].id, to: 2)
    #expect(try await order(store) == ["a", "e", "b", "c", "d"])
    try await store.move(feeds[0].id, to: 99)
    #expect(try await order(store) == ["e", "b", "c", "d", "a"])
    try await store.move(feeds[0].id, to: -3)
    #expect(try await order(store) == ["a", "e", "b", "c", "d"])
    // A part of the feeds changes places; an id without a feed does nothing.
    try await store.arrange([feeds[3].id, Feed.ID(rawValue: 99), feeds[4].id, feeds[1].id])
    #expect(try await order(store) == ["a", "d", "e", "c", "b"])
    try await store.arrange([feeds[4].id, feeds[1].id, feeds[3].id])
    #expect(try await order(store) == ["a", "e", "b", "c", "d"])
    try await store.remove(feeds[1].id)
    #expect(try await order(store) == ["a", "e", "c", "d"])
    #expect(try await store.feeds().map(\.position) == [1, 2, 3, 4])
  }

  @Test func `Addresses that only look the same are two`() async throws {
    let store = try TemporaryStore().store
    let feeds = ["http://a/\u{E9}", "http://a/e\u{301}", "http://a/\u{E9}"].map { NewFeed(url: $0) }
    let result = try await store.add(feeds, at: Timestamp(seconds: 1))
    #expect(result.added.count == 2 && result.duplicates.count == 1)
  }

  @Test func `A paused feed is not due and does not fail; a hidden one does not count as unread`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let titles: [String] = ["a", "b", "c"]
    let new = titles.map { NewFeed(url: "http://\($0)/", title: $0) }
    let feeds = try await store.add(new, at: Timestamp(seconds: 1)).added
    for feed in feeds { try await temporary.refresh(feed, [ParsedItem("1", title: "One")]) }
    var state = FetchState.unfetched
    state.failures = 3
    let failed = RefreshRecord(feedID: feeds[0].id, state: state, parsed: nil, time: Timestamp(seconds: 2))
    _ = try await store.commit([failed])
    var paused = FeedSettings()
    paused.isPaused = true
    // A value that looks like a setting must not pause or hide a feed.
    paused.userAgent = #"x","hidden":true,"#
    var hidden = FeedSettings()
    hidden.isHidden = true
    hidden.userAgent = #"x","paused":true,"#
    try await store.update(feeds[0].id, settings: paused)
    try await store.update(feeds[1].id, settings: hidden)
    #expect(try await store.dueFeeds().map(\.id) == [feeds[1].id, feeds[2].id])
    #expect(try await store.hiddenFeeds() == [feeds[1].id])
    let all = try await store.feeds(FeedWindow(.all, 0..<9))
    #expect(all.totals == FeedWindow.Totals(matching: 3, feeds: 3, unread: 2))
    #expect(try await store.feeds(FeedWindow(.failing, 0..<9)).feeds.isEmpty)
    #expect(try await store.feeds().filter(FailureReport.isFailing).isEmpty)
    try await store.update(feeds[0].id, settings: FeedSettings())
    try await store.update(feeds[1].id, settings: FeedSettings())
    #expect(try await store.dueFeeds().count == 3)
    #expect(try await store.hiddenFeeds().isEmpty)
    #expect(try await store.feeds(FeedWindow(.failing, 0..<9)).feeds.map(\.id) == [feeds[0].id])
  }

  @Test func `A window of the feeds has its part of a subset, in its order, and the totals of all`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let new = (0..<9).map { NewFeed(url: "http://\($0)/", title: "T\($0)", folder: $0 < 4 ? "A/B" : nil) }
    let feeds = try await store.add(new, at: Timestamp(seconds: 1)).added
    try await store.move(feeds[8].id, to: 1)
    try await temporary.refresh(feeds[5], [ParsedItem("1", title: "One"), ParsedItem("2", title: "Two")])
    func states(_ index: Int, _ change: (inout FetchState) -> Void) -> RefreshRecord {
      var state = FetchState.unfetched
      change(&state)
      return RefreshRecord(feedID: feeds[index].id, state: state, parsed: nil, time: Timestamp(seconds: 2))
    }
    _ = try await store.commit([
      states(1) { $0.failures = 2 }, states(2) { $0.failures = 7 }, states(3) { $0.isGone = true },
      states(4) { $0.nextDueReason = .networkDown },
    ])
    func titles(_ window: FeedWindow, matching: Int) async throws -> [String] {
      let (found, totals) = try await store.feeds(window)
      #expect(totals == FeedWindow.Totals(matching: matching, feeds: 9, unread: 2))
      return found.map(\.title)
    }
    #expect(try await titles(FeedWindow(.all, 0..<3), matching: 9) == ["T8", "T0", "T1"])
    #expect(try await titles(FeedWindow(.all, 6..<99), matching: 9) == ["T5", "T6", "T7"])
    #expect(try await titles(FeedWindow(.all, 9..<12), matching: 9) == [])
    let shown = ["T1", "T2", "T3", "T4", "T5"]
    #expect(try await titles(FeedWindow(.unreadOrFailing, 0..<200), matching: 5) == shown)
    #expect(try await titles(FeedWindow(.failing, 0..<3), matching: 4) == ["T2", "T1", "T3"])
    #expect(try await titles(FeedWindow(.failing, 3..<6), matching: 4) == ["T4"])
    #expect(try await titles(FeedWindow(.feed(feeds[6].id)), matching: 1) == ["T6"])
    #expect(try await store.folders() == ["A/B"])
    let failing = try await store.feeds().filter(FailureReport.isFailing).count
    #expect(failing == 4, "The statement and FailureReport agree.")
  }

  @Test func `A second subscription to a URL is rejected, and the error names the first`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe(title: "Mine")
    let error = await #expect(throws: StoreError.self) { try await temporary.subscribe() }
    #expect(error?.code == .duplicateFeed)
    #expect(error?.message.contains("'Mine'") == true)
    let other = try await temporary.subscribe("http://example.org/other")
    let moved = await #expect(throws: StoreError.self) {
      try await temporary.store.update(other.id, url: feed.url)
    }
    #expect(moved?.code == .duplicateFeed)
    let result = try await temporary.store.add(
      [NewFeed(url: feed.url), NewFeed(url: "n"), NewFeed(url: "n")],
      at: Timestamp(seconds: 1)
    )
    #expect(result.added.map(\.url) == ["n"])
    #expect(result.duplicates.map(\.url) == [feed.url, "n"])
  }

  @Test func `A number names a feed by its id or whole title, but not by a part of the title`() async throws {
    let temporary = try TemporaryStore()
    let channel = try await temporary.subscribe("http://a/", title: "Channel 7 News")
    let year = try await temporary.subscribe("http://b/", title: "1984")
    #expect(try await temporary.store.feed(named: "1").id == channel.id)
    #expect(try await temporary.store.feed(named: "1984").id == year.id)
    #expect(try await temporary.store.feed(named: "nel 7").id == channel.id)
    for number in ["7", "198"] {
      let error = await #expect(throws: StoreError.self) { try await temporary.store.feed(named: number) }
      #expect(error?.code == .noSuchFeed)
    }
  }

  @Test func `A feed cannot have the name of a saved search`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    try await temporary.store.save(SavedSearch(name: "Kernel", query: "linux"), at: Timestamp(seconds: 1))
    for refused in [
      await #expect(throws: StoreError.self) { try await temporary.store.rename(feed.id, to: "kernel") },
      await #expect(throws: StoreError.self) { try await temporary.subscribe("http://b/", title: "Kernel") },
    ] { #expect(refused?.code == .badQuery) }
    try await temporary.store.rename(feed.id, to: "Kernel news")
    #expect(try await temporary.store.feeds().map(\.title) == ["Kernel news"])
  }

  @Test func `The tags of items are deleted with their feed`() async throws {
    let temporary = try TemporaryStore()
    let feed = try await temporary.subscribe()
    var item = ParsedItem("1", title: "T")
    item.tags = [Category(term: "rare")]
    try await temporary.refresh(feed, [item])
    #expect(try await temporary.sql("SELECT count(*) FROM item_tags") == "1")
    try await temporary.store.remove(feed.id)
    #expect(try await temporary.sql("SELECT count(*) FROM item_tags") == "0")
  }

  @Test func `A feed is found by id, URL, title and a unique part of its title`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let linux = try await temporary.subscribe("http://a/1", title: "Linux Weekly")
    let other = try await temporary.subscribe("http://a/2", title: "Linux Daily")
    let exact = try await temporary.subscribe("http://a/3", title: "Daily")
    #expect(try await store.feed(named: "\(linux.id.rawValue)").id == linux.id)
    #expect(try await store.feed(named: "http://a/2").id == other.id)
    #expect(try await store.feed(named: "weekly").id == linux.id)
    #expect(try await store.feed(named: "daily").id == exact.id)
    let ambiguous = await #expect(throws: StoreError.self) { try await store.feed(named: "linux") }
    #expect(ambiguous?.code == .ambiguousFeed)
    let missing = await #expect(throws: StoreError.self) { try await store.feed(named: "Linux Weekyl") }
    #expect(missing?.code == .noSuchFeed)
    #expect(missing?.message.contains("Linux Weekly") == true)
  }

  @Test func `Name, folder, settings and URL are stored`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    #expect(feed.title == feed.url)
    var settings = FeedSettings()
    settings.timeout = 5
    settings.headers = ["A: b/c"]
    let version = try await store.feedListVersion()
    try await store.rename(feed.id, to: "Own")
    try await store.move(feed.id, toFolder: "/News//World/")
    try await store.update(feed.id, settings: settings)
    #expect(try await store.feedListVersion() == version)
    try await store.update(feed.id, url: "http://example.org/2")
    #expect(try await store.feedListVersion() != version)
    let stored = try await temporary.reopened().feed(feed.id)
    #expect(stored.title == "Own")
    #expect(stored.folder == "News/World")
    #expect(stored.settings == settings)
    #expect(stored.url == "http://example.org/2")
  }

  @Test func `Invalid stored settings do not prevent rescheduling`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    let other = try await temporary.subscribe("http://example.org/2")
    for id in [feed.id, other.id] {
      var state = FetchState.unfetched
      state.lastFetched = Timestamp(seconds: 1_000_000)
      state.nextDue = Timestamp(seconds: 1_900_000)
      state.nextDueReason = .adaptive
      let record = RefreshRecord(feedID: id, state: state, parsed: nil, time: Timestamp(seconds: 1_000_000))
      _ = try await store.commit([record])
    }
    _ = try await temporary.sql(#"UPDATE feeds SET settings = '{"minimumInterval":' WHERE id = 1"#)
    _ = try await temporary.sql(#"UPDATE feeds SET settings = '{"minimumInterval":"9000000"}' WHERE id = 2"#)
    try await store.rescheduleAll(within: 900...86_400)
    for id in [feed.id, other.id] {
      #expect(try await store.feed(id).fetchState.nextDue == Timestamp(seconds: 1_086_400))
    }
  }

  @Test func `Removing a feed leaves tombstones, and ids are not reused`() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let feed = try await temporary.subscribe()
    try await temporary.refresh(
      feed,
      [ParsedItem("a", title: "A", text: "word"), ParsedItem("b", title: "B")]
    )
    let before = try await store.latestSequence()
    try await store.remove(feed.id)
    let changes = try await store.changes(after: before, limit: 10, query: .all)
    #expect(changes.map(\.kind) == [.deleted, .deleted])
    #expect(Set(changes.map(\.guid)) == ["a", "b"])
    #expect(try await temporary.titles(.text(TextMatch(text: "word"))).isEmpty)
    #expect(try await store.count(ItemRequest()) == 0)
    let again = try await temporary.subscribe()
    #expect(again.id > feed.id)
    let change = try await temporary.refresh(again, [ParsedItem("a", title: "A")])
    #expect(change.inserted == [NewsItem.ID(rawValue: 3)])
  }
}
