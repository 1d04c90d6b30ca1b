package import NewsCore
import NewsSearch
import NewsStoresShared

extension PostgresStore {
  public func items(_ request: ItemRequest) async throws(StoreError) -> [ItemMatch] {
    try await snapshot { (connection) throws(StoreError) in
      try Self.page(request, after: nil, connection).matches
    }
  }

  public func count(_ request: ItemRequest) async throws(StoreError) -> Int {
    try await snapshot { (connection) throws(StoreError) in try Selection(request, connection).count() }
  }

  public func activity(_ query: Query) async throws(StoreError) -> [DayCount] {
    try await snapshot { (connection) throws(StoreError) in
      try Selection(ItemRequest(query: query), connection).activity()
    }
  }

  public func plan(of request: ItemRequest) async throws(StoreError) -> [String] {
    try await snapshot { (connection) throws(StoreError) in try Selection(request, connection).plan() }
  }

  /// Maximum number of items that `matches` loads and `changes` finds at once.
  private static let portion = 500
  /// How many bytes of texts are in memory at once to make excerpts.
  private static let excerptBytes = 4 << 20
  /// Bytes of texts that `changes` checks at once at least, however little room is left: each check takes several queries.
  private static let leastChecked = 64 << 10

  public func forEachBatch(
    _ request: ItemRequest,
    of size: Int,
    _ consume: @Sendable ([ItemMatch]) throws -> Bool
  ) async throws {
    let size = max(size, 1)
    // Ranking and folding stories need the whole list, so collect the places of all matches first. A ranking has at
    // most `Relevance.candidates` items.
    if request.order == .relevance || request.foldsStories {
      let places = try await snapshot { (connection) throws(StoreError) in
        try Selection(request, connection).places()
      }
      _ = try await inBatches(of: size, places) { part in
        let matches = try await snapshot { (connection) throws(StoreError) in
          try Self.matches(part, Selection(request, connection).request, connection)
        }
        return try matches.isEmpty || consume(matches)
      }
    } else {
      try await forEachPage(of: request, in: size, consume) { (request, after) throws(StoreError) in
        try await snapshot { (connection) throws(StoreError) in
          try Self.page(request, after: after, connection)
        }
      }
    }
  }

  private static func page(
    _ request: ItemRequest,
    after: Selection.Place?,
    _ connection: Connection
  ) throws(StoreError) -> ItemPage<Selection.Place> {
    var selection = try Selection(request, connection)
    selection.after = after
    let places = try selection.places()
    var page = ItemPage<Selection.Place>()
    page.matches = try matches(places, selection.request, connection)
    page.count = places.count
    page.last = places.last?.0
    return page
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
    var room = request.bytes ?? .max
    let keepsTexts = !request.parts.isDisjoint(with: [.contentText, .contentHTML, .article])
    while start < places.count, room > 0 {
      var part = places[start..<min(start + portion, places.count)]
      // An excerpt keeps little of the text from which it is made.
      let bytes = keepsTexts ? request.bytes.map { _ in room } : highlighter.map { _ in excerptBytes }
      if let bytes { part = part.prefix(try connection.fitting(part.map(\.0.id), bytes)) }
      start += part.count
      let entries = try reader.entries(part.map(\.0.id))
      for (place, folded) in part {
        guard let item = entries[place.id]?.item else { continue }
        matches.append(.of(item, folded: folded, highlighter, request.parts))
        room -= item.textBytes
      }
    }
    return matches
  }
}

extension PostgresStore {
  public func changes(
    after sequence: Int64,
    limit: Int,
    query: Query,
    within bytes: Int
  ) async throws(StoreError) -> ChangePortion {
    try await snapshot { (connection) throws(StoreError) in
      let removed = try connection.removals(after: sequence, limit: limit, within: bytes, query: query)
      var changes = ChangeMerger(removed, limit: limit, within: bytes)
      let query = try connection.expanded(query)
      var last = sequence
      while !changes.isFull {
        let page = try ChangedItems(query, connection).page(after: last, limit: min(limit, Self.portion))
        var rest = page.places[...]
        while !rest.isEmpty, !changes.isFull {
          // What is checked beyond the room is checked again for the next portion.
          let room = page.checker == nil ? changes.room : max(changes.room, Self.leastChecked)
          let part = Array(rest.prefix(try connection.fitting(rest.map(\.id), room)))
          let ids = (try page.checker?.checked(part) ?? part).map(\.id)
          let entries = try connection.items(ids, parts: .all)
          for id in ids { if let entry = entries[id] { changes.add(entry) } }
          rest = rest.dropFirst(part.count)
        }
        guard let end = page.last else { break }
        last = end
      }
      changes.addRemovals()
      return ChangePortion(changes: changes.changes, isLast: !changes.isFull)
    }
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

  struct Page {
    var places: [Selection.Place]
    /// Checks the places that are to be read; nil if all of them match.
    var checker: Selection?
    /// The number after which the next page begins; nil on the last page.
    var last: Int64?
  }

  /// Finds a page of changes.
  func page(after sequence: Int64, limit: Int) throws(StoreError) -> Page {
    let values = StatementValues()
    let hasClipped = try connection.number("SELECT 1 FROM words WHERE clipped > 0 LIMIT 1") != nil
    let condition = try ItemCondition(query, hasClipped: hasClipped, values, connection)
    let rows = try connection.query(
      """
      SELECT i.id, i.sort, i.sequence FROM items AS i WHERE i.sequence > \(sequence) AND \(condition.sql)
      ORDER BY i.sequence LIMIT \(max(limit, 0))
      """,
      parameters: values.all
    )
    let places = rows.map { Selection.Place(id: $0.int64(0), sort: $0.int64(1)) }
    let checker = try condition.needsCheck ? Selection(ItemRequest(query: query), connection) : nil
    return Page(places: places, checker: checker, last: rows.count == limit ? rows.last?.int64(2) : nil)
  }
}

/// Keeps only the first item of each story in a list that is read in portions.
struct StoryFold {
  private var seen: Set<Int64> = []

  /// Returns the items to show, each with the number of other items of its story. A story of which an earlier page
  /// has shown an item is omitted; `before` is true for items of earlier pages.
  mutating func take(
    _ places: [Selection.Place],
    before: (Selection.Place) -> Bool,
    _ connection: Connection
  ) throws(StoreError) -> [(Selection.Place, Int)] {
    guard !places.isEmpty else { return [] }
    var stories: [Int64: Int64] = [:]
    var sizes: [Int64: Int] = [:]
    for row in try connection.query(
      "SELECT id, cluster FROM items WHERE id = ANY($1::bigint[]) AND cluster IS NOT NULL",
      StoreValue.array(places.map(\.id))
    ) { stories[row.int64(0)] = row.int64(1) }
    for row in try connection.query(
      "SELECT cluster, count(*) FROM items WHERE cluster = ANY($1::bigint[]) GROUP BY cluster",
      StoreValue.array(Array(Set(stories.values)))
    ) { sizes[row.int64(0)] = row.int(1) }
    var shown: [(Selection.Place, Int)] = []
    for place in places {
      let story = stories[place.id]
      guard !before(place) else {
        if let story { seen.insert(story) }
        continue
      }
      guard let story else {
        shown.append((place, 0))
        continue
      }
      if seen.insert(story).inserted { shown.append((place, max((sizes[story] ?? 1) - 1, 0))) }
    }
    return shown
  }
}
