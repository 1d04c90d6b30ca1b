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
    let connection = try await takeReader()
    var failure: (any Error)?
    try connection.snapshot { () throws(StoreError) in
      var batch: [ItemMatch] = []
      func deliver() -> Bool {
        do {
          return try consume(batch)
        } catch {
          failure = error
          return false
        }
      }
      var isWanted = true
      try Self.forEach(request, connection) { match in
        batch.append(match)
        guard batch.count >= max(size, 1) else { return true }
        isWanted = deliver()
        batch.removeAll(keepingCapacity: true)
        return isWanted
      }
      if isWanted, !batch.isEmpty { _ = deliver() }
    }
    giveBack(connection)
    if let failure { throw failure }
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

  /// Calls `body` with each match in order until it returns false.
  static func forEach(
    _ request: ItemRequest,
    _ connection: Connection,
    _ body: (ItemMatch) throws(StoreError) -> Bool
  ) throws(StoreError) {
    let selection = try Selection(request, connection)
    let reader = ItemReader(connection, parts: request.parts)
    let highlighter = request.parts.contains(.excerpt) ? MatchHighlighter(selection.request.query) : nil
    try selection.forEachKey(connection) { (key, folded) throws(StoreError) in
      // Index and table belong to one snapshot; a key without an item is damage that `check` reports.
      guard var item = try reader.item(key) else { return true }
      var match = ItemMatch(item: item, folded: folded)
      if let highlighter {
        match.title = highlighter.title(item.title)
        match.excerpt = highlighter.excerpt(item.contentText)
        if !request.parts.contains(.contentText) {
          item.contentText = ""
          match.item = item
        }
      }
      return try body(match)
    }
  }
}
