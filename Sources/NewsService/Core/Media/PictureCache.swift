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
  /// How many items are read at once at most, and how many bytes of text end that before.
  private static let (batch, batchBytes) = (50, 4 << 20)

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
  /// failed before; the run adds new failures. Throws `full` if the disk has no room for pictures.
  public func run(skipping failed: inout Set<String>) async throws(StoreError) -> Summary {
    try await media.requireRoom()
    var summary = Summary()
    let limit = limit - (try await media.iconBytes())
    var room = limit
    let wanted = try await wanted()
    // What has left makes room before new pictures come, so that the file never has more than the limit.
    var (kept, left) = try await sizes(of: Set(wanted))
    summary.removed += try await remove(left)
    left = [:]
    var oldest = wanted.filter { kept[$0.feed]?[$0.url] != nil }
    var bytes = kept.values.reduce(Int64(0)) { $0 + $1.values.reduce(Int64(0)) { $0 + Int64($1) } }
    var seen: Set<Wanted> = []
    var isFull = false
    for wanted in wanted where !isFull && seen.insert(wanted).inserted {
      guard left[wanted.feed]?.contains(wanted.url) != true else { break }
      if let size = kept[wanted.feed]?[wanted.url] {
        room -= Int64(size)
        isFull = room < 0
        // The picture that has no room any more is not taken out of the list of those to remove.
        if !isFull { kept[wanted.feed]?[wanted.url] = nil }
        continue
      }
      guard !failed.contains(wanted.url), !Task.isCancelled else { continue }
      try await media.requireRoom()
      guard let picture = await fetch(wanted) else {
        failed.insert(wanted.url)
        summary.failed += 1
        continue
      }
      room -= Int64(picture.bytes.count)
      isFull = room < 0
      guard !isFull else { break }
      var leaving: [Feed.ID: [String]] = [:]
      while bytes + Int64(picture.bytes.count) > limit, let last = oldest.popLast() {
        guard let size = kept[last.feed]?.removeValue(forKey: last.url) else { continue }
        bytes -= Int64(size)
        leaving[last.feed, default: []].append(last.url)
      }
      summary.removed += try await remove(leaving)
      left.merge(leaving, uniquingKeysWith: +)
      try await media.keep(picture)
      bytes += Int64(picture.bytes.count)
      summary.kept += 1
    }
    guard !Task.isCancelled else { return summary }
    summary.removed += try await remove(kept.mapValues { Array($0.keys) })
    return summary
  }

  /// Returns the sizes of the kept pictures that are wanted, and the addresses of the others.
  private func sizes(
    of wanted: Set<Wanted>
  ) async throws(StoreError) -> (kept: [Feed.ID: [String: Int]], left: [Feed.ID: [String]]) {
    var kept = try await media.keptSizes()
    var left: [Feed.ID: [String]] = [:]
    for (feed, sizes) in kept {
      left[feed] = sizes.keys.filter { !wanted.contains(Wanted(feed: feed, url: $0)) }
      for url in left[feed] ?? [] { kept[feed]?[url] = nil }
    }
    return (kept, left)
  }

  /// Returns the number of pictures.
  private func remove(_ pictures: [Feed.ID: [String]]) async throws(StoreError) -> Int {
    let found = pictures.filter { !$0.value.isEmpty }
    if !found.isEmpty { try await media.removeKept(found) }
    return found.values.reduce(0) { $0 + $1.count }
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
    request.bytes = Self.batchBytes
    var found: [Wanted] = []
    var isAtEnd = false
    repeat {
      let items = try await news.items(request)
      for match in items {
        found += Self.urls(of: match.item).map { Wanted(feed: match.item.feedID, url: $0) }
      }
      request.offset += items.count
      isAtEnd = items.isEmpty
    } while !isAtEnd && request.offset < Self.itemLimit
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
