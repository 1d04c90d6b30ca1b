import NewsHTTP
import NewsCore
import NewsToolbox

/// The entries that a request selects, their order and the page, as Miniflux reads the parameters: numbers that are not
/// valid are ignored, and all parameters can be combined.
struct MinifluxFilter {
  private static let usualLimit: Int64 = 100

  var request: StreamRequest
  /// The tags that an entry must have.
  let tags: [String]
  /// The words that an entry must contain; nil: any.
  let words: Query?
  let offset: Int
  /// Maximum number of entries.
  var limit: Int

  /// Reads the catalog only if the request names a feed or a category.
  init(
    _ parameters: HTTPParameters,
    _ streams: SyncStreams,
    feed: Int64? = nil,
    category: Int64? = nil
  ) async throws {
    let isGlobal = Self.isTrue(parameters.first("globally_visible"))
    let names = ["feed_id", "category_id"].contains { parameters.first($0) != nil }
    let catalog = try await streams.catalog(if: isGlobal || names || feed != nil || category != nil)
    self = try Self(parameters, catalog, isGlobal: isGlobal, feed: feed, category: category)
  }

  private init(
    _ parameters: HTTPParameters,
    _ catalog: SyncCatalog,
    isGlobal: Bool,
    feed: Int64?,
    category: Int64?
  ) throws {
    func number(_ name: String) -> Int64? { parameters.first(name).flatMap { HTTPParameters.number($0) } }
    var streams: [ItemStream] = []
    if let id = number("feed_id") ?? feed {
      guard catalog.feed(Feed.ID(rawValue: id)) != nil else { throw BadRequest("invalid feed ID") }
      streams.append(.feeds([Feed.ID(rawValue: id)]))
    }
    if let id = number("category_id") ?? category {
      streams.append(.feeds(try MinifluxCategory(id, catalog.paths).feeds(catalog).map(\.id)))
    }
    let states = Set(parameters.all("status").filter { !$0.isEmpty })
    guard states.isSubset(of: ["read", "unread", "removed"]) else {
      throw BadRequest("status takes read, unread or removed")
    }
    switch (states.contains("read"), states.contains("unread")) {
    case (true, false): streams.append(.read)
    case (false, true): streams.append(.unread)
    case (false, false) where !states.isEmpty: streams.append(.nothing)
    default: break
    }
    request = StreamRequest(including: streams)
    switch parameters.first("starred") {
    case let value where Self.isTrue(value): request.including.append(.starred)
    case "false", "0", "False", "FALSE", "f", "F": request.excluding.append(.starred)
    default: break
    }
    if isGlobal {
      let hidden = catalog.feeds.filter { $0.settings.isHidden == true }.map(\.id)
      if !hidden.isEmpty { request.excluding.append(.feeds(hidden)) }
    }
    request.bounds = Self.bounds(number)
    request.order = try Self.order(parameters.first("order") ?? "")
    switch parameters.first("direction") ?? "" {
    case "", "asc": request.isOldestFirst = true
    case "desc": request.isOldestFirst = false
    default: throw BadRequest("direction takes asc or desc")
    }
    tags = parameters.all("tags").filter { !$0.isEmpty }
    let parts = (parameters.first("search") ?? "").split(ascii: " ").map {
      Query.text(TextMatch(text: String($0)))
    }
    words = parts.isEmpty ? nil : .and(parts)
    offset = Int(min(number("offset") ?? 0, 1 << 40))
    let limit = number("limit") ?? Self.usualLimit
    self.limit = limit == 0 ? .max : Int(clamping: limit)
  }

  private static func isTrue(_ value: String?) -> Bool {
    ["true", "1", "True", "TRUE", "t", "T"].contains(value ?? "")
  }

  private static func bounds(_ number: (String) -> Int64?) -> StreamBounds {
    // Miniflux takes 0 for a bound that is missing.
    func bound(_ names: String...) -> [Int64] {
      names.compactMap(number).filter { $0 > 0 }.map { min($0, 1 << 40) }
    }
    var bounds = StreamBounds()
    bounds.idAfter = number("after_entry_id").flatMap { $0 > 0 ? NewsItem.ID(rawValue: $0) : nil }
    bounds.idBefore = number("before_entry_id").flatMap { $0 > 0 ? NewsItem.ID(rawValue: $0) : nil }
    bounds.publishedSince = bound("after", "published_after").max().map { Timestamp(seconds: $0 + 1) }
    bounds.publishedUntil = bound("before", "published_before").min().map { Timestamp(seconds: $0) }
    bounds.changedSince = bound("changed_after").first.map { Timestamp(seconds: $0) }
    bounds.changedUntil = bound("changed_before").first.map { Timestamp(seconds: $0) }
    return bounds
  }

  private static func order(_ name: String) throws(BadRequest) -> StreamOrder {
    switch name {
    // Ids are given in the order of storing.
    case "id", "created_at": .id
    case "", "published_at": .published
    case "changed_at": .changed
    case "status": .status
    case "title": .title
    case "author": .author
    case "category_title", "category_id": .folder
    default:
      throw BadRequest(
        "order takes id, status, changed_at, published_at, created_at, category_title, category_id, title or author"
      )
    }
  }
}
