import NewsSearch
import NewsStoresShared
package import NewsCore

extension PostgresStore: ItemReading {
  public func items(_ request: ItemRequest) async throws(StoreError) -> [ItemMatch] {
    try await read { (connection) throws(StoreError) in try Self.page(request, after: nil, connection).matches
    }
  }

  public func count(_ request: ItemRequest) async throws(StoreError) -> Int {
    try await read { (connection) throws(StoreError) in try Selection(request, connection).count() }
  }

  public func item(_ id: NewsItem.ID) async throws(StoreError) -> NewsItem {
    try await read { (connection) throws(StoreError) in
      guard let item = try ItemReader(connection, parts: .all).item(id) else {
        throw StoreError.noSuchItem(id)
      }
      return item
    }
  }

  public func items(_ ids: [NewsItem.ID]) async throws(StoreError) -> [NewsItem.ID: NewsItem] {
    guard !ids.isEmpty else { return [:] }
    let items = try await read { (connection) throws(StoreError) in
      try ItemReader(connection, parts: .all).entries(ids.map(\.rawValue)).values.map(\.item)
    }
    return Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
  }

  public func activity(_ query: Query) async throws(StoreError) -> [DayCount] {
    try await read { (connection) throws(StoreError) in
      try Selection(ItemRequest(query: query), connection).activity()
    }
  }

  public func plan(of request: ItemRequest) async throws(StoreError) -> [String] {
    try await read { (connection) throws(StoreError) in try Selection(request, connection).plan() }
  }

  /// Maximum number of items that `matches` and `changes` load at once.
  private static let portion = 500

  public func forEachBatch(
    _ request: ItemRequest,
    of size: Int,
    _ consume: @Sendable ([ItemMatch]) throws -> Bool
  ) async throws {
    let size = max(size, 1)
    // Ranking and hiding duplicates need the whole list, so collect the places of all matches first. A ranking has at
    // most `Relevance.candidates` items.
    if request.order == .relevance || request.foldsClusters {
      let places = try await read { (connection) throws(StoreError) in try Self.places(request, connection) }
      var start = 0
      while start < places.count {
        let part = Array(places[start..<min(start + size, places.count)])
        start += part.count
        let matches = try await read { (connection) throws(StoreError) in
          try Self.matches(part, Selection(request, connection).request, connection)
        }
        guard try matches.isEmpty || consume(matches) else { return }
      }
      return
    }
    var request = request
    var after: Selection.Place?
    var left = request.limit ?? .max
    while left > 0 {
      request.limit = min(max(size, Self.portion), left)
      let (part, last) = (request, after)
      let page = try await read { (connection) throws(StoreError) in
        try Self.page(part, after: last, connection)
      }
      var start = 0
      while start < page.matches.count {
        let end = min(start + size, page.matches.count)
        guard try consume(Array(page.matches[start..<end])) else { return }
        start = end
      }
      left -= page.count
      guard let end = page.last, page.count == request.limit else { return }
      after = end
      request.offset = 0
    }
  }

  private struct Page: Sendable {
    var matches: [ItemMatch]
    var count: Int
    var last: Selection.Place?
  }

  private static func places(
    _ request: ItemRequest,
    _ connection: Connection
  ) throws(StoreError) -> [(Selection.Place, Int)] {
    var places: [(Selection.Place, Int)] = []
    try Selection(request, connection).forEach { place, folded in
      places.append((place, folded))
      return true
    }
    return places
  }

  private static func page(
    _ request: ItemRequest,
    after: Selection.Place?,
    _ connection: Connection
  ) throws(StoreError) -> Page {
    var selection = try Selection(request, connection)
    selection.after = after
    var places: [(Selection.Place, Int)] = []
    try selection.forEach { place, folded in
      places.append((place, folded))
      return true
    }
    let matches = try matches(places, selection.request, connection)
    return Page(matches: matches, count: places.count, last: places.last?.0)
  }

  /// Reads items, with excerpts if requested.
  private static func matches(
    _ places: [(Selection.Place, Int)],
    _ request: ItemRequest,
    _ connection: Connection
  ) throws(StoreError) -> [ItemMatch] {
    let highlighter = request.parts.contains(.excerpt) ? MatchHighlighter(request.query) : nil
    let reader = try ItemReader(connection, parts: request.parts)
    var matches: [ItemMatch] = []
    var start = 0
    while start < places.count {
      let part = places[start..<min(start + portion, places.count)]
      start += part.count
      let entries = try reader.entries(part.map(\.0.id))
      for (place, folded) in part {
        guard let item = entries[place.id]?.item else { continue }
        matches.append(ItemMatch(item, folded: folded, highlighter, request.parts))
      }
    }
    return matches
  }
}

extension PostgresStore: ChangeReading {
  public func changes(after sequence: Int64, limit: Int, query: Query) async throws(StoreError) -> [Change] {
    try await read { (connection) throws(StoreError) in
      let removed = try connection.removals(after: sequence, limit: limit, query: query)
      var changes = ChangeMerger(removed, limit: limit)
      let query = try QueryExpansion.expand(query) { (name) throws(StoreError) in
        try connection.savedQuery(name)
      }
      var last = sequence
      while !changes.isFull {
        let page = try ChangedItems(query, connection).page(after: last, limit: min(limit, Self.portion))
        for entry in page.entries { changes.add(entry) }
        guard let end = page.last else { break }
        last = end
      }
      return changes.merged
    }
  }

  public func latestSequence() async throws(StoreError) -> Int64 {
    try await read { (connection) throws(StoreError) in try connection.value(of: .sequence) }
  }
}

/// The changed items that a query selects, in the order of the change log.
private struct ChangedItems {
  private let connection: Connection
  private let query: Query

  init(_ query: Query, _ connection: Connection) throws(StoreError) {
    self.connection = connection
    self.query = query
  }

  /// Reads a page of changes. `last` is the number after which the next page begins; nil on the last page.
  func page(after sequence: Int64, limit: Int) throws(StoreError) -> (
    entries: [ItemEntry], last: Int64?
  ) {
    let values = ItemCondition.Values()
    let hasClipped = try connection.integer("SELECT 1 FROM words WHERE clipped > 0 LIMIT 1") != nil
    let condition = try ItemCondition(query, hasClipped: hasClipped, values, connection)
    let rows = try connection.query(
      """
      SELECT i.id, i.sort, i.sequence FROM items AS i WHERE i.sequence > \(sequence) AND \(condition.sql)
      ORDER BY i.sequence LIMIT \(max(limit, 0))
      """,
      parameters: values.parameters
    )
    let places = rows.map { Selection.Place(id: $0.int64(0), sort: $0.int64(1)) }
    let last = rows.count == limit ? rows.last?.int64(2) : nil
    let kept =
      try condition.needsCheck ? Selection(ItemRequest(query: query), connection).checked(places) : places
    let entries = try ItemReader(connection, parts: .all).entries(kept.map(\.id))
    return (kept.compactMap { entries[$0.id] }, last)
  }
}
