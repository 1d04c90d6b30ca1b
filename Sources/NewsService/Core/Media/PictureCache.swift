import NewsToolbox

/// Keeps the pictures of starred and labelled items, within a limit: those of the newest items, so that the oldest leave
/// first.
public struct PictureCache: Sendable {
  /// What a run did.
  public struct Summary: Hashable, Sendable {
    public var kept = 0
    public var removed = 0
    public var failed = 0

    public init() {}
  }

  private let relay: MediaRelay
  private let news: any ItemReading
  private let media: any MediaKeeping
  /// Maximum bytes of these pictures and of the icons together.
  private let limit: Int64

  /// Maximum number of items whose pictures are kept, and of pictures of one item.
  static let itemLimit = 5000
  static let pictureLimit = 100
  /// Number of items read at once.
  private static let batch = 50

  public init(relay: MediaRelay, news: any ItemReading, media: any MediaKeeping, limit: Int64) {
    self.relay = relay
    self.news = news
    self.media = media
    self.limit = limit
  }

  private struct Wanted: Hashable {
    var feed: Feed.ID
    var url: String
  }

  /// Fetches missing pictures, and removes pictures without an item or without room. `skipping` are addresses that
  /// failed before; the run adds new failures.
  public func run(skipping failed: inout Set<String>) async throws(StoreError) -> Summary {
    var summary = Summary()
    var kept = try await media.keptSizes()
    var room = limit - (try await media.iconBytes())
    var seen: Set<Wanted> = []
    var isFull = false
    for wanted in try await wanted() where !isFull && seen.insert(wanted).inserted {
      if let size = kept[wanted.feed]?[wanted.url] {
        room -= Int64(size)
        isFull = room < 0
        // The picture that has no room any more is not taken out of the list of those to remove.
        if !isFull { kept[wanted.feed]?[wanted.url] = nil }
        continue
      }
      guard !failed.contains(wanted.url), !Task.isCancelled else { continue }
      guard let picture = await fetch(wanted) else {
        failed.insert(wanted.url)
        summary.failed += 1
        continue
      }
      room -= Int64(picture.bytes.count)
      isFull = room < 0
      guard !isFull else { break }
      try await media.keep(picture)
      summary.kept += 1
    }
    guard !Task.isCancelled else { return summary }
    let rest = kept.mapValues { Array($0.keys) }.filter { !$0.value.isEmpty }
    if !rest.isEmpty { try await media.removeKept(rest) }
    summary.removed = rest.values.reduce(0) { $0 + $1.count }
    return summary
  }

  private func fetch(_ wanted: Wanted) async -> KeptPicture? {
    do {
      let picture = try await relay.fetchPicture(MediaAddress(.picture, wanted.feed, wanted.url))
      return KeptPicture(feed: wanted.feed, url: wanted.url, type: picture.type, bytes: picture.bytes)
    } catch {
      return nil
    }
  }

  /// The pictures of starred and labelled items, the newest items first.
  private func wanted() async throws(StoreError) -> [Wanted] {
    let labels = try await news.itemLabels().map { Query.label($0.name) }
    var request = ItemRequest(
      query: .or([.isStarred(true)] + labels),
      order: .newest,
      limit: Self.batch,
      parts: [.contentHTML, .details]
    )
    var found: [Wanted] = []
    var count = 0
    repeat {
      let items = try await news.items(request)
      for match in items {
        found += Self.urls(of: match.item).map { Wanted(feed: match.item.feedID, url: $0) }
      }
      request.offset += items.count
      count = items.count
    } while count == Self.batch && request.offset < Self.itemLimit
    return found
  }

  private static func urls(of item: NewsItem) -> [String] {
    let media = item.media
    let beside = [item.image, media?.thumbnail?.url].compactMap(\.self) + (media?.pictures.map(\.url) ?? [])
    let attached = item.enclosures.filter(\.isPicture).map(\.url)
    let shown = item.contentHTML.map { PictureInText.urls(in: $0, limit: pictureLimit) } ?? []
    return Array((shown + beside + attached).prefix(pictureLimit))
  }
}
