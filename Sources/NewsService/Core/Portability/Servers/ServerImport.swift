import NewsToolbox

/// Imports subscriptions and items from the server of another reader. Nothing is requested from publishers.
///
/// An interrupted import continues after the last page that was stored, if it is repeated within a week. A finished one
/// can be repeated as well: items that are stored already only gain marks.
public struct ServerImport: Sendable {
  /// The outcome of an import, also of an unfinished one.
  public struct Report: Hashable, Sendable {
    public var counts = ImportReport()
    /// URLs of feeds that no web feed can have.
    public var skipped: [String] = []
    /// Number of items that were not imported because their feed was not.
    public var withoutFeed = 0
    /// Number of items that an interrupted import had read before this one continued it.
    public var continued = 0

    public init() {}
  }

  private let store: any ArrivalStoring & ImportPlaceKeeping
  private let cleaner: any ItemCleaning
  private let clock: any WallClock

  /// Bounds against a server that never ends.
  private static let mostFeeds = 200_000
  private static let mostPages = 200_000
  /// How long the place of an interrupted import is used, in seconds: marks that are older may have changed.
  private static let placeLife: Int64 = 7 * 86_400
  /// The times of the years 1 to 9999, which formats can write (RFC 3339); others count as absent.
  private static let times: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  public init(
    store: any ArrivalStoring & ImportPlaceKeeping,
    cleaner: any ItemCleaning,
    clock: any WallClock
  ) {
    self.store = store
    self.cleaner = cleaner
    self.clock = clock
  }

  /// Imports everything that the server has. `source` names server, protocol and account. `progress` receives the number
  /// of items so far.
  public func run(
    _ server: any ItemServer,
    of source: String,
    progress: @escaping @Sendable (Int) -> Void
  ) async throws -> Report {
    var server = server
    var report = Report()
    var feeds: [String: NewFeed] = [:]
    for found in try await server.feeds().prefix(Self.mostFeeds) {
      guard FeedURLKind.imported(found.feed.url) == .web else {
        report.skipped.append(found.feed.url)
        continue
      }
      feeds[found.id] = ImportedTexts.cleaned(found.feed)
    }
    let now = clock.now()
    let subscriptions = feeds.sorted { $0.value.url < $1.value.url }.map { ImportedFeed(feed: $0.value) }
    report.counts = try await store.importFeeds(subscriptions, at: now)
    var kept = try await store.importPlace(of: source)
    let start = kept.flatMap { ImportPlace($0) }.flatMap { now - $0.time < Self.placeLife ? $0 : nil }
    server.place = start?.cursor
    report.continued = start?.read ?? 0
    var read = report.continued
    if read > 0 { progress(read) }
    var isUnsure = start != nil
    for _ in 0..<Self.mostPages {
      try Task.checkCancellation()
      let answer = await Self.page(&server)
      if isUnsure, case .failure(let error) = answer, error.code == .badAnswer {
        // The server may no longer know the place.
        server.place = nil
        report.continued = 0
        read = 0
      } else {
        guard let items = try answer.get() else { break }
        read += items.count
        try await store(items, of: feeds, at: now, in: &report)
        let place = ImportPlace(cursor: server.place, read: read, time: now)?.text
        if try await store.replaceImportPlace(kept, by: place, of: source) { kept = place }
        progress(read)
      }
      isUnsure = false
    }
    _ = try await store.replaceImportPlace(kept, by: nil, of: source)
    return report
  }

  private static func page(_ server: inout any ItemServer) async -> Result<[ServerItem]?, ServerError> {
    do throws(ServerError) { return .success(try await server.nextItems()) } catch { return .failure(error) }
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

/// The place of an unfinished import from a server, as the store keeps it.
struct ImportPlace {
  var cursor: String
  /// Number of items that were read before it.
  var read: Int
  var time: Timestamp

  /// Maximum length of a cursor in bytes: servers give short ones.
  private static let longestCursor = 4096

  /// Nil without a cursor that can be kept.
  init?(cursor: String?, read: Int, time: Timestamp) {
    guard let cursor, cursor.utf8.count <= Self.longestCursor else { return nil }
    self.cursor = cursor
    self.read = read
    self.time = time
  }

  init?(_ text: String) {
    guard let value = JSONValue(valid: text), let cursor = value["cursor"]?.string,
      let time = value["time"]?.integer
    else { return nil }
    self.init(
      cursor: cursor,
      read: Int(clamping: max(value["read"]?.integer ?? 0, 0)),
      time: Timestamp(seconds: time)
    )
  }

  var text: String {
    var json = JSONWriter()
    json.beginObject()
    json.field("cursor", cursor)
    json.field("read", read)
    json.field("time", time.seconds)
    json.endObject()
    return json.string
  }
}

/// A protocol by which a server can be imported from.
public enum ServerAPI: String, Sendable, CaseIterable {
  case greader, miniflux, fever

  /// Names the account at `base` for the place of an import. Contains no secret: of a password without a name, which is a
  /// token, 32 bits of a hash.
  public func source(at base: String, _ credentials: ServerCredentials) -> String {
    let account =
      credentials.user
      ?? "token " + Hex.encode(Array(SecureHash.sha256.digest(Array(credentials.password.utf8)).prefix(4)))
    return "\(rawValue) \(WebAddress.redacted(base)) \(account)"
  }

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
