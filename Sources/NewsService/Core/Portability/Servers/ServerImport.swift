import NewsToolbox

/// Imports subscriptions and items from the server of another reader. Nothing is requested from publishers.
///
/// An import may be interrupted and repeated: items that are stored already only gain marks.
public struct ServerImport: Sendable {
  /// The outcome of an import, also of an unfinished one.
  public struct Report: Hashable, Sendable {
    public var counts = ImportReport()
    /// URLs of feeds that no web feed can have.
    public var skipped: [String] = []
    /// Number of items that were not imported because their feed was not.
    public var withoutFeed = 0

    public init() {}
  }

  private let store: any ArrivalStoring
  private let cleaner: any ItemCleaning
  private let clock: any WallClock

  /// Bounds against a server that never ends.
  private static let mostFeeds = 200_000
  private static let mostPages = 200_000
  /// The times of the years 1 to 9999, which formats can write (RFC 3339); others count as absent.
  private static let times: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  public init(store: any ArrivalStoring, cleaner: any ItemCleaning, clock: any WallClock) {
    self.store = store
    self.cleaner = cleaner
    self.clock = clock
  }

  /// Imports everything that the server has. `progress` receives the number of items so far.
  public func run(
    _ server: any ItemServer,
    progress: @escaping @Sendable (Int) -> Void
  ) async throws -> Report {
    var server = server
    var report = Report()
    var feeds: [String: NewFeed] = [:]
    for found in try await server.feeds().prefix(Self.mostFeeds) {
      guard FeedURLKind(found.feed.url) == .web else {
        report.skipped.append(found.feed.url)
        continue
      }
      feeds[found.id] = ImportedTexts.cleaned(found.feed)
    }
    let now = clock.now()
    let subscriptions = feeds.sorted { $0.value.url < $1.value.url }.map { ImportedFeed(feed: $0.value) }
    report.counts = try await store.importFeeds(subscriptions, at: now)
    var read = 0
    for _ in 0..<Self.mostPages {
      try Task.checkCancellation()
      guard let items = try await server.nextItems() else { break }
      read += items.count
      try await store(items, of: feeds, at: now, in: &report)
      progress(read)
    }
    return report
  }

  private func store(
    _ items: [ServerItem],
    of feeds: [String: NewFeed],
    at now: Timestamp,
    in report: inout Report
  ) async throws {
    var batches: [String: [ImportedItem]] = [:]
    for found in items {
      guard let feed = feeds[found.feed] else {
        report.withoutFeed += 1
        continue
      }
      var imported = found.item
      if let time = imported.item.published, !Self.times.contains(time.seconds) {
        imported.item.published = nil
      }
      imported.item = cleaner.cleanedWithText(imported.item, base: feed.siteURL ?? feed.url)
      imported.labels = imported.labels.compactMap(ItemLabel.cleaned)
      // The store takes the newest item first.
      batches[found.feed, default: []].append(imported)
    }
    let page = batches.sorted { $0.key < $1.key }.map { id, items in
      ImportedFeed(
        feed: feeds[id] ?? NewFeed(url: ""),
        items: items.sorted { ($0.item.published?.seconds ?? 0) > ($1.item.published?.seconds ?? 0) }
      )
    }
    let counts = try await store.importFeeds(page, at: now)
    report.counts.items += counts.items
    report.counts.unchanged += counts.unchanged
  }
}

/// A protocol by which a server can be imported from.
public enum ServerAPI: String, Sendable, CaseIterable {
  case greader, miniflux, fever

  /// `base` is the address that the user typed.
  public func server(at base: String, _ credentials: ServerCredentials, _ requests: ServerRequests)
    -> any ItemServer
  {
    switch self {
    case .greader: GreaderServer(base, credentials, requests)
    case .miniflux: MinifluxServer(base, credentials, requests)
    case .fever: FeverServer(base, credentials, requests)
    }
  }
}
