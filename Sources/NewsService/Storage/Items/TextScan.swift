import NewsCore

/// Reads the items of queries that look into texts, such as `/regular expressions/`.
///
/// Such a query may read all texts of a store to find one item. Like every long reading, it is done in portions, each with
/// its own snapshot, so that the write-ahead log can be emptied in between.
struct TextScan {
  let store: NewsStore
  /// The request without limit and offset, which count across portions.
  private let request: ItemRequest
  private var after: ItemKey?
  private var skips: Int
  private var left: Int
  private(set) var isAtEnd = false

  /// Nil for a request that an index serves, or that needs all its matches at once.
  init?(_ request: ItemRequest, after: ItemKey? = nil, _ store: NewsStore) async throws(StoreError) {
    guard request.order != .relevance, !request.foldsClusters, request.query.mayReadTexts else { return nil }
    let query = try await store.read { (connection) throws(StoreError) in
      try QueryExpansion.expand(request.query, saved: connection.savedQuery)
    }
    guard query.mayReadTexts else { return nil }
    self.store = store
    self.after = after
    skips = max(request.offset, 0)
    left = request.limit.map { max($0, 0) } ?? .max
    var request = request
    request.query = query
    request.limit = nil
    request.offset = 0
    self.request = request
    isAtEnd = left == 0
  }

  /// Runs `body` on the next portion. It sets `isAtEnd` after the last one.
  mutating func portion<Result: Sendable>(
    _ body: (Selection, Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    let (request, after, size) = (request, after, store.options.scannedItems)
    let (result, end) = try await store.read { (connection) throws(StoreError) -> (Result, ItemKey?) in
      var selection = try Selection(request, connection)
      selection.after = after
      let end = try selection.key(ofItem: size, connection)
      selection.through = end
      return (try body(selection, connection), end)
    }
    self.after = end
    isAtEnd = end == nil
    return result
  }

  /// Returns the matches of the next portion within limit and offset of the request.
  mutating func matches() async throws(StoreError) -> [ItemMatch] {
    let (skips, left) = (skips, left)
    let (matches, skipped) = try await portion {
      (selection, connection) throws(StoreError) -> ([ItemMatch], Int) in
      var matches: [ItemMatch] = []
      var skipped = 0
      let reader = MatchReader(selection, connection)
      try selection.forEachKey(connection) { (key, folded) throws(StoreError) in
        guard skipped == skips else {
          skipped += 1
          return true
        }
        if let match = try reader.match(key, folded) { matches.append(match) }
        return matches.count < left
      }
      return (matches, skipped)
    }
    self.skips -= skipped
    self.left -= matches.count
    if self.left == 0 { isAtEnd = true }
    return matches
  }
}

extension Query {
  /// True if items are matched by reading their texts, or if a saved search may ask for that.
  fileprivate var mayReadTexts: Bool {
    switch self {
    case .regex, .saved: true
    case .and(let parts), .or(let parts): parts.contains(where: \.mayReadTexts)
    case .not(let part): part.mayReadTexts
    default: false
    }
  }
}
