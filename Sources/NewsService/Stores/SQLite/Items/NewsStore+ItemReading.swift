package import NewsCore

extension NewsStore: ItemReading {
  public func items(_ request: ItemRequest) async throws(StoreError) -> [ItemMatch] {
    if let keys = try await rankedKeys(request) {
      var matches: [ItemMatch] = []
      for start in stride(from: 0, to: keys.count, by: Self.portion) {
        matches += try await self.matches(keys[start..<min(start + Self.portion, keys.count)], request)
      }
      return matches
    }
    if var scan = try await TextScan(request, self) {
      var matches: [ItemMatch] = []
      while !scan.isAtEnd { matches += try await scan.matches() }
      return matches
    }
    return try await read { (connection) throws(StoreError) in
      var matches: [ItemMatch] = []
      try Self.forEach(request, connection) { match in
        matches.append(match)
        return true
      }
      return matches
    }
  }

  public func count(_ request: ItemRequest) async throws(StoreError) -> Int {
    if var scan = try await TextScan(request.unlimited, counts: true, self) {
      var count = 0
      while !scan.isAtEnd {
        count += try await scan.portion { (selection, connection) throws(StoreError) in
          try selection.count(connection)
        }
      }
      return count
    }
    guard !request.foldsClusters else { return try await countClusters(request) }
    return try await read { (connection) throws(StoreError) in
      let selection = try Selection(request, connection)
      return try selection.count(connection)
    }
  }

  public func forEachBatch(
    _ request: ItemRequest,
    of size: Int,
    _ consume: @Sendable ([ItemMatch]) throws -> Bool
  ) async throws {
    // Ranking and hiding duplicates need the whole list, so collect the keys of all matches first. A ranking
    // has at most `Selection.relevanceCandidates` items.
    if request.order == .relevance || request.foldsClusters {
      return try await forEachGathered(request, of: max(size, 1), consume)
    }
    if var scan = try await TextScan(request, self) {
      while !scan.isAtEnd {
        let matches = try await scan.matches()
        for start in stride(from: 0, to: matches.count, by: max(size, 1)) {
          guard try consume(Array(matches[start..<min(start + max(size, 1), matches.count)])) else { return }
        }
      }
      return
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

  /// Minimum number of items in a page of `forEachBatch`, and number of items per snapshot when `items`
  /// answers a search by relevance that reads texts.
  private static let portion = 500

  /// Reads one page in its own snapshot, so that a slow consumer of the output does not block checkpoints.
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
    let keys = try await gatheredKeys(request)
    var start = 0
    while start < keys.count {
      let part = keys[start..<min(start + size, keys.count)]
      start += part.count
      let matches = try await matches(part, request)
      guard try matches.isEmpty || consume(matches) else { return }
    }
  }

  private func matches(
    _ keys: ArraySlice<(key: ItemKey, folded: Int)>,
    _ request: ItemRequest
  ) async throws(StoreError) -> [ItemMatch] {
    try await read { (connection) throws(StoreError) in
      let reader = MatchReader(try Selection(request, connection), connection)
      var matches: [ItemMatch] = []
      for (key, folded) in keys {
        if let match = try reader.match(key, folded) { matches.append(match) }
      }
      return matches
    }
  }

  /// Returns the keys of a search by relevance that reads texts. The candidates are found in portions and then ranked.
  /// Returns nil for other requests.
  private func rankedKeys(
    _ request: ItemRequest
  ) async throws(StoreError) -> [(key: ItemKey, folded: Int)]? {
    guard request.order == .relevance else { return nil }
    var candidates = request
    candidates.limit = Selection.relevanceCandidates
    candidates.offset = 0
    guard var scan = try await TextScan(candidates, self) else { return nil }
    var keys: [ItemKey] = []
    while !scan.isAtEnd { keys += try await scan.keys() }
    let found = keys
    let ranked = try await read { (connection) throws(StoreError) in
      try Selection(request, connection).ranked(found, connection)
    }
    return ranked.map { ($0, 0) }
  }

  private func gatheredKeys(_ request: ItemRequest) async throws(StoreError) -> [(key: ItemKey, folded: Int)]
  {
    if let keys = try await rankedKeys(request) { return keys }
    var fold = ClusterFold(request)
    var keys: [(key: ItemKey, folded: Int)] = []
    var after: ItemKey?
    repeat {
      let (last, before) = (after, fold)
      let (part, end, next) = try await read {
        (connection) throws(StoreError) -> ([(key: ItemKey, folded: Int)], ItemKey?, ClusterFold) in
        var selection = try Selection(request, connection)
        var part: [(key: ItemKey, folded: Int)] = []
        guard request.foldsClusters, request.order != .relevance else {
          try selection.forEachKey(connection) { (key, folded) throws(StoreError) in
            part.append((key, folded))
            return true
          }
          return (part, nil, before)
        }
        var fold = before
        let end = try Self.advance(&selection, after: last, connection)
        try selection.forEachKey(connection, &fold) { (key, folded) throws(StoreError) in
          part.append((key, folded))
          return true
        }
        return (part, fold.isDone ? nil : end, fold)
      }
      keys += part
      (after, fold) = (end, next)
    } while after != nil
    return keys
  }

  private func countClusters(_ request: ItemRequest) async throws(StoreError) -> Int {
    var clusters: Set<Int64> = []
    var others = 0
    var after: ItemKey?
    repeat {
      let last = after
      let (part, end) = try await read {
        (connection) throws(StoreError) -> ((ids: [Int64], unclustered: Int), ItemKey?) in
        var selection = try Selection(request, connection)
        let end = try Self.advance(&selection, after: last, connection)
        return (try selection.clusters(connection), end)
      }
      clusters.formUnion(part.ids)
      others += part.unclustered
      after = end
    } while after != nil
    return clusters.count + others
  }

  /// Restricts the selection to the next portion of items. Returns the last key of the portion; nil if this is the last
  /// portion.
  private static func advance(
    _ selection: inout Selection,
    after: ItemKey?,
    _ connection: Connection
  ) throws(StoreError) -> ItemKey? {
    selection.after = after
    selection.through = try selection.key(ofItem: foldedPortion, connection)
    return selection.through
  }

  /// Maximum number of items whose clusters are read in one snapshot.
  private static let foldedPortion = 20_000

  public func item(_ id: NewsItem.ID) async throws(StoreError) -> NewsItem {
    try await read { (connection) throws(StoreError) in
      guard let key = try ItemReader.key(of: id, connection),
        let item = try ItemReader(connection, parts: .all).item(key)
      else { throw StoreError.noSuchItem(id) }
      return item
    }
  }

  public func activity(_ query: Query) async throws(StoreError) -> [DayCount] {
    if var scan = try await TextScan(ItemRequest(query: query, order: .oldest), counts: true, self) {
      var days: [DayCount] = []
      while !scan.isAtEnd {
        for day in try await scan.portion({ (selection, connection) throws(StoreError) in
          try selection.activity(connection)
        }) {
          // A portion may end within a day: add to that day's count.
          if let last = days.last, last.day == day.day {
            days[days.count - 1].count += day.count
          } else {
            days.append(day)
          }
        }
      }
      return days
    }
    return try await read { (connection) throws(StoreError) in
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

extension ItemRequest {
  /// The request without limit and offset, because the number of matches does not depend on the page.
  fileprivate var unlimited: ItemRequest {
    var request = self
    request.limit = nil
    request.offset = 0
    return request
  }
}
