import NewsSearch
import NewsStoresShared
import NewsCore

/// Finds items by reading texts, for queries such as `/regular expressions/`.
///
/// Such a query may read all texts of a store to find one item. The texts are read in portions, each with its own
/// snapshot, so that checkpoints can happen in between.
struct TextScan {
  let store: NewsStore
  /// The request without limit and offset, which are applied across all portions.
  private let request: ItemRequest
  private var after: ItemKey?
  private var skips: Int
  private var left: Int
  /// The bytes of text that the matches may still have.
  private var room: Int
  private(set) var isAtEnd = false

  /// Prepares the scan. Returns nil for a request that an index answers, or that needs all its matches at once. A
  /// request by relevance is read newest first.
  ///
  /// With `counts`, texts are also read for a prefix of one letter in a large store. The full-text index would first
  /// collect the items of all words with that prefix, which takes seconds.
  init?(_ request: ItemRequest, counts: Bool = false, _ store: NewsStore) async throws(StoreError) {
    guard !request.foldsStories, counts || request.query.mayReadTexts else { return nil }
    let (query, items) = try await store.read { (connection) throws(StoreError) in
      (
        try connection.expanded(request.query),
        try connection.value(of: .items)
      )
    }
    let isSlow = counts && items >= store.options.itemsWithSlowPrefixes && query.containsOneLetterPrefix
    guard query.mayReadTexts || isSlow else { return nil }
    self.store = store
    skips = max(request.offset, 0)
    left = request.limit.map { max($0, 0) } ?? .max
    room = request.bytes ?? .max
    var request = request
    request.query = query
    // The caller ranks the candidates later.
    if request.order == .relevance { request.order = .newest }
    request.limit = nil
    request.offset = 0
    self.request = request
    isAtEnd = left == 0
  }

  /// Runs `body` on the next portion. Sets `isAtEnd` after the last portion.
  mutating func portion<Result: Sendable>(
    _ body: (Selection, Connection) throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    let (request, after, size) = (request, after, store.options.scannedItems)
    let (result, end) = try await store.read { (connection) throws(StoreError) -> (Result, ItemKey?) in
      var selection = try Selection(request, connection)
      selection.after = after
      let end = try selection.key(ofItem: size)
      selection.through = end
      selection.readsPrefixes = true
      return (try body(selection, connection), end)
    }
    self.after = end
    isAtEnd = end == nil
    return result
  }

  /// Returns the matches of the next portion, within the request's limit and offset.
  mutating func matches() async throws(StoreError) -> [ItemMatch] {
    try await read(
      with: { (selection, connection) in
        let reader = MatchReader(selection, connection)
        return { (key) throws(StoreError) in try reader.match(key, 0) }
      },
      weighing: { $0.item.textBytes }
    )
  }

  /// Returns the keys of the next portion's matches, within the request's limit and offset.
  mutating func keys() async throws(StoreError) -> [ItemKey] {
    try await read(with: { (_, _) in { (key) throws(StoreError) in key } }, weighing: { _ in 0 })
  }

  /// Reads the items of the next portion. `reader` returns a function that converts a key to a result, whose text has `bytes`.
  private mutating func read<Result: Sendable>(
    with reader: (Selection, Connection) -> (ItemKey) throws(StoreError) -> Result?,
    weighing bytes: (Result) -> Int
  ) async throws(StoreError) -> [Result] {
    let (skips, left, room) = (skips, left, room)
    let (results, skipped, used) = try await portion {
      (selection, connection) throws(StoreError) -> ([Result], Int, Int) in
      var results: [Result] = []
      var skipped = 0
      var used = 0
      let read = reader(selection, connection)
      try selection.forEachKey { (key, _) throws(StoreError) in
        guard skipped == skips else {
          skipped += 1
          return true
        }
        if let result = try read(key) {
          results.append(result)
          used += bytes(result)
        }
        return results.count < left && used < room
      }
      return (results, skipped, used)
    }
    self.skips -= skipped
    self.left -= results.count
    self.room -= used
    if self.left == 0 || self.room <= 0 { isAtEnd = true }
    return results
  }
}

extension Query {
  /// True if items are matched by reading their texts, or if the query names a saved search, which may
  /// require that.
  var mayReadTexts: Bool {
    switch self {
    case .regex, .saved: true
    case .and(let parts), .or(let parts): parts.contains(where: \.mayReadTexts)
    case .not(let part): part.mayReadTexts
    default: false
    }
  }
}
