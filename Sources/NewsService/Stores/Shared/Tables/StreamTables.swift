package import NewsCore

// The streams of sync clients.

extension StreamEntry {
  /// Reads the columns `id` and `stored`.
  package init(_ row: some StoreRow) {
    self.init(id: NewsItem.ID(rawValue: row.int64(0)), stored: Timestamp(seconds: row.int64(1)))
  }
}

/// How many of a feed's newest items by date are examined. The one among them that was stored last is the feed's newest
/// entry.
private let newestExamined = 20

extension TableStore {
  package func entries(
    _ request: StreamRequest,
    offset: Int,
    limit: Int
  ) async throws(StoreError) -> [StreamEntry] {
    // Stop below ids that are still in progress: a client that has seen an id does not ask for lower ones again.
    let settled = request.isOldestFirst ? try await settledID() : nil
    return try await snapshot { (session) throws(StoreError) in
      let needed = limit > .max - offset ? .max : limit + offset
      return try StreamSelection(request, limit: needed, settled: settled, session)
        .entries(offset: offset, limit: limit)
    }
  }

  package func page(
    _ request: StreamRequest,
    offset: Int,
    limit: Int
  ) async throws(StoreError) -> (total: Int, entries: [StreamEntry]) {
    let settled = request.isOldestFirst ? try await settledID() : nil
    // One item more than needed tells whether all items must be counted.
    let needed = limit > .max - offset - 1 ? .max : limit + offset + 1
    return try await snapshot { (session) throws(StoreError) in
      let entries = try StreamSelection(request, limit: needed, settled: settled, session)
        .entries(offset: offset, limit: needed - offset)
      let isWhole = entries.count <= limit && (offset == 0 || !entries.isEmpty)
      let total =
        isWhole ? offset + entries.count : try StreamSelection(request, limit: .max, session).count()
      return (total, Array(entries.prefix(limit)))
    }
  }

  package func streamItems(
    _ ids: [NewsItem.ID],
    within bytes: Int
  ) async throws(StoreError) -> (items: [StreamItem], count: Int) {
    try await snapshot { (session) throws(StoreError) in
      let (entries, count) = try session.items(ids.map(\.rawValue), parts: .all, within: bytes)
      let times = try session.timesOfChange(entries.values.map(\.item))
      let enclosures = try session.enclosures(of: entries.values.map(\.item))
      let feeds = try session.feeds(Set(entries.values.map(\.item.feedID)))
      var found: [StreamItem] = []
      for id in ids {
        guard let item = entries[id.rawValue]?.item else { continue }
        var entry = StreamItem(item: item, labels: item.labels, changed: times[id] ?? item.stored)
        entry.enclosures = enclosures[id] ?? []
        entry.feed = feeds[item.feedID]
        found.append(entry)
      }
      return (found, count)
    }
  }

  package func streamNames() async throws(StoreError) -> StreamNames {
    try await snapshot { (session) throws(StoreError) in
      StreamNames(
        feeds: try session.feeds(),
        madeFolders: try session.madeFolders(),
        labels: try session.labelNames(),
        searches: try session.savedSearches()
      )
    }
  }

  package func streamFolders() async throws(StoreError) -> (ofFeeds: [String], made: [MadeFolder]) {
    try await snapshot { (session) throws(StoreError) in
      var folders: [String] = []
      var known: Set<String> = []
      try session.forEachRow("SELECT folder FROM feeds WHERE folder IS NOT NULL ORDER BY position, id") {
        row in
        let folder = row.string(0)
        if known.insert(folder).inserted { folders.append(folder) }
      }
      return (folders, try session.madeFolders())
    }
  }

  package func labelNames() async throws(StoreError) -> [String] {
    try await snapshot { (session) throws(StoreError) in try session.labelNames() }
  }

  package func itemLabels() async throws(StoreError) -> [ItemLabel] {
    try await snapshot { (session) throws(StoreError) in
      guard try session.has(Session.labelTable) else { return [] }
      return try session.rows(
        """
        SELECT g.newest, i.stored, g.label, g.unread FROM (
          SELECT l.label, count(*) FILTER (WHERE i.is_read = 0) AS unread, max(i.id) AS newest
          FROM item_labels AS l JOIN items AS i ON i.id = l.item GROUP BY l.label) AS g
        JOIN items AS i ON i.id = g.newest ORDER BY g.label
        """
      ) { ItemLabel(name: $0.string(2), unread: $0.int(3), newest: StreamEntry($0)) }
    }
  }

  package func newestEntries() async throws(StoreError) -> [Feed.ID: StreamEntry] {
    try await snapshot { (session) throws(StoreError) in
      let found = try session.rows(
        """
        SELECT newest.id, newest.stored, f.id FROM feeds AS f JOIN items AS newest ON newest.id = (
          SELECT max(examined.id) FROM (
            SELECT i.id FROM items AS i WHERE i.feed = f.id ORDER BY \(Session.newestFirst) LIMIT $1) AS examined)
        WHERE f.items > 0
        """,
        newestExamined
      ) { (Feed.ID(rawValue: $0.int64(2)), StreamEntry($0)) }
      return Dictionary(found) { first, _ in first }
    }
  }

  package func streamTotals() async throws(StoreError) -> StreamTotals {
    try await snapshot { (session) throws(StoreError) in try session.totals() }
  }
}

/// The request of a sync client as SQL over `items AS i`.
///
/// Streams are in the order of ids. All ids have an index, but single streams have no index in that order, because it
/// would slow down every refresh. There are two ways to find items; the way that reads fewer rows is chosen, by the
/// database or else here. Either all ids are read in order and each item is checked. Or the items of the most selective
/// condition are read by its index and sorted.
struct StreamSelection<Session: StoreSession> {
  private let request: StreamRequest
  private let session: Session
  private let hasLabels: Bool
  private var conditions: [String] = []
  private var values: [StoreValue] = []
  private var order = "i.id"
  /// The condition on changes, if its index is used.
  private var change: String?

  /// `settled` is the highest id to return.
  init(
    _ request: StreamRequest,
    limit: Int,
    settled: Int64? = nil,
    _ session: Session
  ) throws(StoreError) {
    self.request = request
    self.session = session
    hasLabels = try session.has(Session.labelTable)
    // These are conditions that every item must meet. One of them may be read by its index.
    var required = request.including
    if request.streams.count == 1 {
      required += request.streams
    } else {
      var alternatives: [String] = []
      for stream in request.streams { alternatives.append(condition(stream)) }
      conditions.append(
        alternatives.isEmpty ? "false" : Session.unindexed("(" + alternatives.joined(separator: " OR ") + ")")
      )
    }
    for stream in request.excluding {
      switch stream {
      case .read: required.append(.unread)
      case .unread: required.append(.read)
      default: conditions.append("NOT (" + condition(stream) + ")")
      }
    }
    change = try firstChange()
    let leader = Session.knowsSelectivity || change != nil ? nil : try leader(of: required, limit)
    for (place, stream) in required.enumerated() where stream != .all {
      let sql = condition(stream)
      conditions.append(place == leader ? sql : Session.unindexed(sql))
    }
    if leader != nil || change != nil { order = Session.unindexed("i.id") }
    try addBounds()
    addArrival()
    if let settled { conditions.append("i.id <= \(settled)") }
    if let after = request.after {
      conditions.append("\(order) \(request.isOldestFirst ? ">" : "<") \(after.rawValue)")
    }
  }

  /// The condition on the change log that all items after the request's time meet. Few items do, and they have an index.
  private func firstChange() throws(StoreError) -> String? {
    if let time = request.bounds.changedSince { return try session.isChanged(since: time) }
    // The times of storing and editing are those of the machine that fetched.
    guard let time = request.updatedSince else { return nil }
    return try session.isChanged(since: time - Session.clockDifference)
  }

  /// Adds the bounds of `updatedSince` and `arrivedUntil`.
  private mutating func addArrival() {
    var stored: [String] = []
    var edits = "SELECT item FROM versions WHERE time >= \(request.updatedSince?.seconds ?? 0)"
    if let since = request.updatedSince { stored.append("i.stored >= \(since.seconds)") }
    if let until = request.arrivedUntil {
      let (least, greatest) = Session.extremes
      stored.append(
        "\(least)(\(greatest)(i.stored, 0), \(Int64(1) << 40)) * 1000000 + i.id % 1000000 <= \(until)"
      )
      edits += " AND time <= \(until / 1_000_000)"
    }
    guard !stored.isEmpty else { return }
    let arrived = stored.joined(separator: " AND ")
    conditions.append(
      request.updatedSince == nil ? arrived : Session.unindexed("(\(arrived) OR i.id IN (\(edits)))")
    )
  }

  private mutating func addBounds() throws(StoreError) {
    let bounds = request.bounds
    if let time = bounds.changedUntil { conditions.append(try session.isChanged(until: time)) }
    if let id = bounds.idAfter { conditions.append("\(order) > \(id.rawValue)") }
    if let id = bounds.idBefore { conditions.append("\(order) < \(id.rawValue)") }
    if let time = bounds.publishedSince { conditions.append(Session.isSorted(since: time)) }
    if let time = bounds.publishedUntil { conditions.append(Session.isSorted(until: time)) }
  }

  /// Returns the index in `streams` of the condition with the fewest items. Returns nil if checking all items in order
  /// until `limit` are found costs less than reading and sorting these items.
  private func leader(of streams: [ItemStream], _ limit: Int) throws(StoreError) -> Int? {
    var best: (place: Int, items: Int64)?
    for (place, stream) in streams.enumerated() {
      guard let items = try size(of: stream), items < best?.items ?? .max else { continue }
      best = (place, items)
    }
    guard let best else { return nil }
    let total = try session.value(of: .items)
    // In the order of ids, one of `total / items` items matches on average.
    // Floating point: damaged counters and any limit must not overflow.
    let looked =
      best.items == 0
      ? Double(total) : Double(min(Int64(clamping: limit), total)) * Double(total) / Double(best.items)
    return Double(best.items) <= looked ? best.place : nil
  }

  /// Returns the number of items of a stream that has an index; nil if the stream has none.
  private func size(of stream: ItemStream) throws(StoreError) -> Int64? {
    switch stream {
    case .all, .read: return nil
    case .nothing: return 0
    case .unread: return try session.value(of: .unread)
    case .starred: return try session.value(of: .starred)
    case .feeds(let feeds):
      let list = feeds.map { String($0.rawValue) }.joined(separator: ",")
      return try session.number("SELECT coalesce(sum(items), 0) FROM feeds WHERE id IN (\(list))")
    case .label(let name):
      return hasLabels ? try session.number("SELECT count(*) FROM item_labels WHERE label = $1", name) : 0
    case .items(let ids): return Int64(ids.count)
    }
  }

  private mutating func condition(_ stream: ItemStream) -> String {
    switch stream {
    case .all: return "true"
    case .nothing: return "false"
    case .read: return "i.is_read = 1"
    case .unread: return "i.is_read = 0"
    case .starred: return "i.is_starred = 1"
    case .feeds(let feeds): return FeedName.condition(feeds: feeds.map(\.rawValue))
    case .label(let name):
      guard hasLabels else { return "false" }
      values.append(.text(name))
      return "i.id IN (SELECT item FROM item_labels WHERE label = $\(values.count))"
    case .items(let ids):
      values.append(.integers(ids.map(\.rawValue)))
      return "i.id \(Session.isOne(of: "$\(values.count)"))"
    }
  }

  private func select(_ columns: String, _ more: [String], _ end: String) -> String {
    let all = [change].compactMap(\.self) + conditions + more
    return
      "SELECT \(columns) FROM items AS i\(all.isEmpty ? "" : " WHERE " + all.joined(separator: " AND ")) \(end)"
  }

  /// Returns a page of changes if the newest items fill it; else nil. Right after a large fetch, this reads few of the many
  /// changes; otherwise all changes are read and sorted.
  private func newestPage(_ limit: Int) throws(StoreError) -> [StreamEntry]? {
    guard let change, !Session.knowsSelectivity, request.order == .id, !request.isOldestFirst else {
      return nil
    }
    let end = min(request.after?.rawValue ?? .max, try session.value(of: .item) + 1)
    var statement = self
    statement.change = nil
    statement.conditions += [
      Session.unindexed(change), "i.id >= \(end - 200 - 2 * Int64(limit))", "i.id < \(end)",
    ]
    let text = statement.select("i.id, i.stored", [], "ORDER BY i.id DESC LIMIT \(limit)")
    let found = try session.rows(text, values: values) { StreamEntry($0) }
    return found.count == limit ? found : nil
  }

  func entries(offset: Int, limit: Int) throws(StoreError) -> [StreamEntry] {
    if offset == 0, limit < 10_000, let newest = try newestPage(limit) { return newest }
    let direction = request.isOldestFirst ? "ASC" : "DESC"
    let end = "ORDER BY \(columns(direction)) LIMIT \(max(limit, 0)) OFFSET \(max(offset, 0))"
    return try session.rows(select("i.id, i.stored", [], end), values: values) { StreamEntry($0) }
  }

  /// The columns for ORDER BY.
  private func columns(_ direction: String) -> String {
    let id = "\(order) \(direction)"
    switch request.order {
    case .id: return id
    case .published: return request.isOldestFirst ? Session.oldestFirst : Session.newestFirst
    case .changed: return "i.sequence \(direction)"
    case .status: return "i.is_read \(direction), \(id)"
    case .title: return "i.title \(direction), \(id)"
    case .author: return "(SELECT author FROM contents WHERE id = i.id) \(direction), \(id)"
    case .folder: return "coalesce((SELECT folder FROM feeds WHERE id = i.feed), '') \(direction), \(id)"
    }
  }

  func count() throws(StoreError) -> Int {
    guard change != nil || !conditions.isEmpty else { return try session.totals().items }
    return Int(try session.rows(select("count(*)", [], ""), values: values) { $0.int64(0) }.first ?? 0)
  }

  /// Returns the unread items, oldest first.
  func unread() throws(StoreError) -> [NewsItem.ID] {
    let isUnread = Session.unindexed("i.is_read = 0")
    return try session.rows(select("i.id", [isUnread], "ORDER BY \(Session.oldestFirst)"), values: values) {
      NewsItem.ID(rawValue: $0.int64(0))
    }
  }
}
