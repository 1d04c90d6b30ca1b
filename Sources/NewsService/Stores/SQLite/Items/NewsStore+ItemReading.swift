package import NewsCore
import NewsStoresShared

extension NewsStore {
  public func items(_ request: ItemRequest) async throws(StoreError) -> [ItemMatch] {
    if let keys = try await rankedKeys(request) {
      var matches: [ItemMatch] = []
      var room = request.bytes ?? .max
      for start in stride(from: 0, to: keys.count, by: Self.portion) where room > 0 {
        let part = keys[start..<min(start + Self.portion, keys.count)]
        let found = try await self.matches(part, request, within: room)
        room -= found.reduce(0) { $0 + $1.item.textBytes }
        matches += found
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
      var room = request.bytes ?? .max
      try Self.forEach(request, connection) { match in
        matches.append(match)
        room -= match.item.textBytes
        return room > 0
      }
      return matches
    }
  }

  public func count(_ request: ItemRequest) async throws(StoreError) -> Int {
    if var scan = try await TextScan(request.unlimited, counts: true, self) {
      var count = 0
      while !scan.isAtEnd {
        count += try await scan.portion { (selection, _) throws(StoreError) in try selection.count() }
      }
      return count
    }
    guard !request.foldsStories else { return try await countStories(request) }
    return try await read { (connection) throws(StoreError) in
      try Selection(request, connection).count()
    }
  }

  public func forEachBatch(
    _ request: ItemRequest,
    of size: Int,
    _ consume: @Sendable ([ItemMatch]) throws -> Bool
  ) async throws {
    let size = max(size, 1)
    // Ranking and folding stories need the whole list, so collect the keys of all matches first. A ranking
    // has at most `Selection.relevanceCandidates` items.
    if request.order == .relevance || request.foldsStories {
      let keys = try await gatheredKeys(request)
      _ = try await inBatches(of: size, keys) { part in
        let matches = try await self.matches(part[...], request, within: .max)
        return try matches.isEmpty || consume(matches)
      }
    } else if var scan = try await TextScan(request, self) {
      while !scan.isAtEnd {
        guard try await inBatches(of: size, try await scan.matches(), consume) else { return }
      }
    } else {
      try await forEachPage(of: request, in: size, consume) { (request, after) throws(StoreError) in
        try await page(request, after: after)
      }
    }
  }

  /// Number of items per snapshot when `items` answers a search by relevance that reads texts.
  private static let portion = 500

  /// Reads one page in its own snapshot, so that a slow consumer of the output does not block checkpoints.
  private func page(
    _ request: ItemRequest,
    after: ItemKey?
  ) async throws(StoreError) -> ItemPage<ItemKey> {
    try await read { (connection) throws(StoreError) in
      var selection = try Selection(request, connection)
      selection.after = after
      var page = ItemPage<ItemKey>()
      page.matches.reserveCapacity(request.limit ?? 0)
      let reader = MatchReader(selection, connection)
      try selection.forEachKey { (key, folded) throws(StoreError) in
        page.count += 1
        page.last = key
        if let match = try reader.match(key, folded) { page.matches.append(match) }
        return true
      }
      return page
    }
  }

  private func matches(
    _ keys: ArraySlice<(key: ItemKey, folded: Int)>,
    _ request: ItemRequest,
    within bytes: Int
  ) async throws(StoreError) -> [ItemMatch] {
    try await read { (connection) throws(StoreError) in
      let reader = MatchReader(try Selection(request, connection), connection)
      var matches: [ItemMatch] = []
      var room = bytes
      for (key, folded) in keys where room > 0 {
        guard let match = try reader.match(key, folded) else { continue }
        matches.append(match)
        room -= match.item.textBytes
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
      try Selection(request, connection).ranked(found)
    }
    return ranked.map { ($0, 0) }
  }

  private func gatheredKeys(_ request: ItemRequest) async throws(StoreError) -> [(key: ItemKey, folded: Int)]
  {
    if let keys = try await rankedKeys(request) { return keys }
    var fold = StoryFold(request)
    var keys: [(key: ItemKey, folded: Int)] = []
    var after: ItemKey?
    repeat {
      let (last, before) = (after, fold)
      let (part, end, next) = try await read {
        (connection) throws(StoreError) -> ([(key: ItemKey, folded: Int)], ItemKey?, StoryFold) in
        var selection = try Selection(request, connection)
        var part: [(key: ItemKey, folded: Int)] = []
        guard request.foldsStories, request.order != .relevance else {
          try selection.forEachKey { (key, folded) throws(StoreError) in
            part.append((key, folded))
            return true
          }
          return (part, nil, before)
        }
        var fold = before
        let end = try Self.advance(&selection, after: last)
        try selection.forEachKey(&fold) { (key, folded) throws(StoreError) in
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

  private func countStories(_ request: ItemRequest) async throws(StoreError) -> Int {
    var stories: Set<Int64> = []
    var others = 0
    var after: ItemKey?
    repeat {
      let last = after
      let (part, end) = try await read {
        (connection) throws(StoreError) -> ((ids: [Int64], single: Int), ItemKey?) in
        var selection = try Selection(request, connection)
        let end = try Self.advance(&selection, after: last)
        return (try selection.stories(), end)
      }
      stories.formUnion(part.ids)
      others += part.single
      after = end
    } while after != nil
    return stories.count + others
  }

  /// Restricts the selection to the next portion of items. Returns the last key of the portion; nil if this is the last
  /// portion.
  private static func advance(_ selection: inout Selection, after: ItemKey?) throws(StoreError) -> ItemKey? {
    selection.after = after
    selection.through = try selection.key(ofItem: foldedPortion)
    return selection.through
  }

  /// Maximum number of items whose stories are read in one snapshot.
  private static let foldedPortion = 20_000

  public func activity(_ query: Query) async throws(StoreError) -> [DayCount] {
    if var scan = try await TextScan(ItemRequest(query: query, order: .oldest), counts: true, self) {
      var days: [DayCount] = []
      while !scan.isAtEnd {
        for day in try await scan.portion({ (selection, _) throws(StoreError) in try selection.activity() }) {
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
      try Selection(ItemRequest(query: query), connection).activity()
    }
  }

  public func plan(of request: ItemRequest) async throws(StoreError) -> [String] {
    try await read { (connection) throws(StoreError) in
      try Selection(request, connection).plan()
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
    try selection.forEachKey { (key, folded) throws(StoreError) in
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

extension NewsStore {
  public func changes(
    after sequence: Int64,
    limit: Int,
    query: Query,
    within bytes: Int
  ) async throws(StoreError) -> ChangePortion {
    // Search in portions, each in its own snapshot: if few items match, finding them takes long.
    let portion = query == .all ? nil : options.scannedItems
    var changes: [Change] = []
    var last = sequence
    var room = bytes
    while true {
      let (after, left, bytes) = (last, limit - changes.count, room)
      let (part, end) = try await read { (connection) throws(StoreError) -> (ChangeMerger, Int64?) in
        var end: Int64?
        if let portion { end = try Self.sequence(ofChange: portion, after: after, connection) }
        return (
          try Self.changes(after: after, through: end, limit: left, within: bytes, query, connection), end
        )
      }
      changes += part.changes
      guard let end, !part.isFull else { return ChangePortion(changes: changes, isLast: !part.isFull) }
      last = end
      room = part.room
    }
  }

  /// Returns the number of the `count`th change of an item after `sequence`; nil if there are fewer changes.
  private static func sequence(
    ofChange count: Int,
    after sequence: Int64,
    _ connection: Connection
  ) throws(StoreError) -> Int64? {
    try connection.number(
      "SELECT sequence FROM items WHERE sequence > \(sequence) ORDER BY sequence LIMIT 1 OFFSET \(count - 1)"
    )
  }

  private static func changes(
    after sequence: Int64,
    through end: Int64?,
    limit: Int,
    within bytes: Int,
    _ query: Query,
    _ connection: Connection
  ) throws(StoreError) -> ChangeMerger {
    let last = end ?? .max
    let removed = try connection.removals(after: sequence, limit: limit, within: bytes, query: query)
    var changes = ChangeMerger(removed.filter { $0.sequence <= last }, limit: limit, within: bytes)
    let selection = try Selection(ItemRequest(query: query), connection)
    let reader = ItemReader(connection, parts: .all)
    try selection.forEachChange(after: sequence, through: last) { (key) throws(StoreError) in
      if let entry = try reader.entry(key) { changes.add(entry) }
      return !changes.isFull
    }
    changes.addRemovals()
    return changes
  }
}
