import NewsCore
import Synchronization

/// A store in memory: subscriptions, states and items as arrays.
final class FakeStore: ArrivalStoring, FeedKeeping, PartialFake {
  struct Content {
    var feeds: [Feed] = []
    var items: [Feed.ID: [ParsedItem]] = [:]
    var nextFeed: Int64 = 1
    var nextItem: Int64 = 1
    /// Number of records in each transaction.
    var commits: [Int] = []
    /// Feeds whose record had `notifiesOtherProcesses`.
    var forAll: [Feed.ID] = []
    /// Errors that the next commits throw.
    var commitErrors: [StoreError] = []
    /// The number of next commits that are refused, as of a process that has lost its claims.
    var refusals = 0
    /// The error that a probe throws; nil: none.
    var probeError: StoreError?
    /// URLs of feeds that another process adds just before the next addition of one feed.
    var addedBefore: [String] = []
    /// While true, no feed can be read.
    var isLocked = false
    var version: Int64 = 1
  }
  private let content = Mutex(Content())

  func with<R: Sendable>(_ body: (inout Content) -> R) -> R { content.withLock { body(&$0) } }

  /// Adds a feed when a test sets up its store.
  @discardableResult
  func insert(
    _ url: String,
    state: FetchState = FetchState.unfetched,
    settings: FeedSettings = FeedSettings()
  )
    -> Feed.ID
  {
    with { content in
      let id = Feed.ID(rawValue: content.nextFeed)
      content.nextFeed += 1
      content.version += 1
      content.feeds.append(
        Feed(
          id: id,
          url: url,
          title: url,
          position: content.feeds.count + 1,
          settings: settings,
          fetchState: state
        )
      )
      return id
    }
  }

  func state(_ id: Feed.ID) -> FetchState {
    with { $0.feeds.first { $0.id == id }?.fetchState ?? FetchState.unfetched }
  }

  func items(_ id: Feed.ID) -> [ParsedItem] { with { $0.items[id] ?? [] } }

  private func change(_ id: Feed.ID, _ body: (inout Feed) -> Void) throws(StoreError) {
    let found = with { content -> Bool in
      guard let index = content.feeds.firstIndex(where: { $0.id == id }) else { return false }
      body(&content.feeds[index])
      content.version += 1
      return true
    }
    guard found else { throw StoreError(code: .noSuchFeed, message: "No feed \(id.rawValue).") }
  }

  // MARK: ArrivalStoring

  func dueFeeds() async throws(StoreError) -> [DueFeed] {
    with { content in
      content.feeds.filter { !$0.fetchState.isGone }
        .map {
          DueFeed(
            id: $0.id,
            url: $0.url,
            nextDue: $0.fetchState.nextDue,
            cooldown: $0.fetchState.cooldown,
            lastFetched: $0.fetchState.lastFetched,
            lastPollSucceeded: $0.fetchState.lastFetched != nil && $0.fetchState.failures == 0
          )
        }
    }
  }

  func feed(_ id: Feed.ID) async throws(StoreError) -> Feed {
    while with({ $0.isLocked }) { try? await Task.sleep(for: .milliseconds(1)) }
    guard let feed = with({ $0.feeds.first { $0.id == id } }) else {
      throw StoreError(code: .noSuchFeed, message: "No feed \(id.rawValue).")
    }
    return feed
  }

  func probeWriting() async throws(StoreError) {
    if let error = with({ $0.probeError }) { throw error }
  }

  func commit(_ records: [RefreshRecord]) async throws(StoreError) -> [RefreshChange] {
    let error = with { content in content.commitErrors.isEmpty ? nil : content.commitErrors.removeFirst() }
    if let error { throw error }
    return with { content in
      if content.refusals > 0 {
        content.refusals -= 1
        return []
      }
      content.commits.append(records.count)
      return records.compactMap { Self.apply($0, to: &content) }
    }
  }

  private static func apply(_ record: RefreshRecord, to content: inout Content) -> RefreshChange? {
    guard let index = content.feeds.firstIndex(where: { $0.id == record.feedID }) else { return nil }
    content.feeds[index].fetchState = record.state
    if record.notifiesOtherProcesses { content.forAll.append(record.feedID) }
    var change = RefreshChange(feedID: record.feedID)
    for item in record.parsed?.items ?? [] {
      var items = content.items[record.feedID] ?? []
      if let known = items.firstIndex(where: { $0.id == item.id }) {
        if items[known] != item { change.updated.append(NewsItem.ID(rawValue: Int64(known))) }
        items[known] = item
      } else {
        items.append(item)
        change.inserted.append(NewsItem.ID(rawValue: content.nextItem))
        content.nextItem += 1
      }
      content.items[record.feedID] = items
    }
    if let title = record.parsed?.title { content.feeds[index].title = title }
    return change
  }

  func recentTimes(of id: Feed.ID, limit: Int) async throws(StoreError) -> [Timestamp] {
    Array((with { $0.items[id] ?? [] }).compactMap(\.published).sorted(by: >).prefix(limit))
  }

  func feedListVersion() async throws(StoreError) -> Int64? { with { $0.version } }

  // MARK: FeedKeeping

  func feeds() async throws(StoreError) -> [Feed] { with { $0.feeds } }

  func feeds(_ window: FeedWindow) async throws(StoreError) -> (feeds: [Feed], totals: FeedWindow.Totals) {
    throw StoreError(code: .other, message: "Core reads no windows.")
  }

  func hiddenFeeds() async throws(StoreError) -> [Feed.ID] {
    try await feeds().filter { $0.settings.isHidden == true }.map(\.id)
  }

  func folders() async throws(StoreError) -> [String] { Array(Set(try await feeds().compactMap(\.folder))) }

  func feed(named name: String) async throws(StoreError) -> Feed {
    guard
      let feed = with({ $0.feeds.first { $0.url == name || $0.title == name || "\($0.id.rawValue)" == name } }
      )
    else { throw StoreError(code: .noSuchFeed, message: "No feed \(name).") }
    return feed
  }

  func add(_ feed: NewFeed, at time: Timestamp) async throws(StoreError) -> Feed {
    for url in with({ $0.addedBefore }) { insert(url) }
    with { $0.addedBefore = [] }
    if let twin = with({ $0.feeds.first { $0.url == feed.url } }) {
      throw StoreError(code: .duplicateFeed, message: "\(feed.url) is subscribed already: \(twin.title).")
    }
    let id = insert(feed.url, settings: feed.settings)
    try change(id) {
      $0.title = feed.title ?? feed.url
      $0.folder = feed.folder
    }
    return try await self.feed(id)
  }

  func add(
    _ feeds: [NewFeed],
    at time: Timestamp
  ) async throws(StoreError) -> (added: [Feed], duplicates: [NewFeed]) {
    var added: [Feed] = []
    var duplicates: [NewFeed] = []
    for feed in feeds {
      do {
        added.append(try await add(feed, at: time))
      } catch {
        duplicates.append(feed)
      }
    }
    return (added, duplicates)
  }

  func remove(_ id: Feed.ID) async throws(StoreError) {
    with { content in
      content.feeds.removeAll { $0.id == id }
      content.version += 1
    }
  }

  func rename(_ id: Feed.ID, to title: String) async throws(StoreError) {
    try change(id) { $0.title = title }
  }
  func move(_ id: Feed.ID, to position: Int) async throws(StoreError) {
    try change(id) { $0.position = position }
  }
  func arrange(_ ids: [Feed.ID]) async throws(StoreError) {
    for (index, id) in ids.enumerated() { try change(id) { $0.position = index + 1 } }
  }
  func move(_ id: Feed.ID, toFolder folder: String?) async throws(StoreError) {
    try change(id) { $0.folder = folder }
  }
  func update(
    _ id: Feed.ID,
    settings: FeedSettings,
    general: ClosedRange<Int64>
  ) async throws(StoreError) {
    try change(id) { $0.settings = settings }
  }
  func update(_ id: Feed.ID, url: String) async throws(StoreError) {
    if with({ $0.feeds.contains { $0.url == url && $0.id != id } }) {
      throw StoreError(code: .duplicateFeed, message: "\(url) is subscribed already.")
    }
    try change(id) { $0.url = url }
  }

  func ingest(_ feeds: [ImportedFeed], at time: Timestamp) async throws(StoreError) -> ImportReport {
    var report = ImportReport()
    for arrived in feeds {
      let feed = try await feed(named: arrived.feed.url)
      with { $0.items[feed.id, default: []] += arrived.items.map(\.item) }
      report.items += arrived.items.count
    }
    return report
  }
}
