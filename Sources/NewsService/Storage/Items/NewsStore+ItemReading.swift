public import NewsCore

extension NewsStore: ItemReading {
  public func items(_ request: ItemRequest) async throws(StoreError) -> [ItemMatch] {
    try await read { (connection) throws(StoreError) in
      var matches: [ItemMatch] = []
      try Self.forEach(request, connection) { match in
        matches.append(match)
        return true
      }
      return matches
    }
  }

  public func count(_ request: ItemRequest) async throws(StoreError) -> Int {
    try await read { (connection) throws(StoreError) in
      let selection = try Selection(request, connection)
      return try selection.count(connection)
    }
  }

  public func forEachBatch(
    _ request: ItemRequest,
    of size: Int,
    _ consume: @Sendable ([ItemMatch]) throws -> Bool
  ) async throws {
    // Gather all keys first: a search by relevance has few matches, and folding clusters needs the whole list.
    if request.order == .relevance || request.foldsClusters {
      return try await forEachGathered(request, of: max(size, 1), consume)
    }
    let size = max(size, 1)
    var request = request
    var after: ItemKey?
    var left = request.limit ?? .max
    while left > 0 {
      request.limit = min(max(size, Self.portion), left)
      let page = try await page(request, after: after)
      var start = 0
      while start < page.matches.count {
        let end = min(start + size, page.matches.count)
        guard try consume(Array(page.matches[start..<end])) else { return }
        start = end
      }
      left -= page.count
      guard let last = page.last, page.count == request.limit else { return }
      after = last
      request.offset = 0
    }
  }

  /// Items read per snapshot.
  private static let portion = 500

  /// Reads one page in its own snapshot, so that a slow reader of the output does not block checkpoints.
  private func page(
    _ request: ItemRequest,
    after: ItemKey?
  ) async throws(StoreError) -> (matches: [ItemMatch], count: Int, last: ItemKey?) {
    try await read { (connection) throws(StoreError) in
      var selection = try Selection(request, connection)
      selection.after = after
      var matches: [ItemMatch] = []
      var count = 0
      var last: ItemKey?
      let reader = MatchReader(selection, connection)
      try selection.forEachKey(connection) { (key, folded) throws(StoreError) in
        count += 1
        last = key
        if let match = try reader.match(key, folded) { matches.append(match) }
        return true
      }
      return (matches, count, last)
    }
  }

  private func forEachGathered(
    _ request: ItemRequest,
    of size: Int,
    _ consume: @Sendable ([ItemMatch]) throws -> Bool
  ) async throws {
    let keys = try await read { (connection) throws(StoreError) in
      var keys: [(key: ItemKey, folded: Int)] = []
      try Selection(request, connection).forEachKey(connection) { (key, folded) throws(StoreError) in
        keys.append((key, folded))
        return true
      }
      return keys
    }
    var start = 0
    while start < keys.count {
      let part = keys[start..<min(start + size, keys.count)]
      start += part.count
      let matches = try await read { (connection) throws(StoreError) in
        let reader = MatchReader(try Selection(request, connection), connection)
        var matches: [ItemMatch] = []
        for (key, folded) in part {
          if let match = try reader.match(key, folded) { matches.append(match) }
        }
        return matches
      }
      guard try matches.isEmpty || consume(matches) else { return }
    }
  }

  public func item(_ id: NewsItem.ID) async throws(StoreError) -> NewsItem {
    try await read { (connection) throws(StoreError) in
      guard let key = try ItemReader.key(of: id, connection),
        let item = try ItemReader(connection, parts: .all).item(key)
      else { throw Self.noSuchItem(id) }
      return item
    }
  }

  public func activity(_ query: Query) async throws(StoreError) -> [DayCount] {
    try await read { (connection) throws(StoreError) in
      let selection = try Selection(ItemRequest(query: query), connection)
      return try selection.activity(connection)
    }
  }

  public func plan(of request: ItemRequest) async throws(StoreError) -> [String] {
    try await read { (connection) throws(StoreError) in
      let selection = try Selection(request, connection)
      return try selection.plan(connection)
    }
  }

  static func noSuchItem(_ id: NewsItem.ID) -> StoreError {
    StoreError(code: .noSuchItem, message: "there is no item \(id.rawValue)")
  }

  /// Calls `body` with each match, in order, until it returns false.
  static func forEach(
    _ request: ItemRequest,
    _ connection: Connection,
    _ body: (ItemMatch) throws(StoreError) -> Bool
  ) throws(StoreError) {
    let selection = try Selection(request, connection)
    let reader = MatchReader(selection, connection)
    try selection.forEachKey(connection) { (key, folded) throws(StoreError) in
      guard let match = try reader.match(key, folded) else { return true }
      return try body(match)
    }
  }
}

/// Reads the items of a selection, with excerpts if requested.
private struct MatchReader {
  private let request: ItemRequest
  private let reader: ItemReader
  private let highlighter: MatchHighlighter?

  init(_ selection: Selection, _ connection: Connection) {
    request = selection.request
    reader = ItemReader(connection, parts: request.parts)
    highlighter = request.parts.contains(.excerpt) ? MatchHighlighter(request.query) : nil
  }

  /// Returns nil if the key has no item: it was removed since the key was read, or the store is damaged.
  func match(_ key: ItemKey, _ folded: Int) throws(StoreError) -> ItemMatch? {
    guard var item = try reader.item(key) else { return nil }
    var match = ItemMatch(item: item, folded: folded)
    guard let highlighter else { return match }
    match.title = highlighter.title(item.title)
    match.excerpt = highlighter.excerpt(item.contentText)
    if !request.parts.contains(.contentText) {
      let needsHeadlineText = request.parts.contains(.headlineText) && item.title.isEmpty
      let kept = item.contentText.unicodeScalars.prefix(needsHeadlineText ? ItemReader.standInLength : 0)
      item.contentText = String(String.UnicodeScalarView(kept))
      match.item = item
    }
    return match
  }
}
