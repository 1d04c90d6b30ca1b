import NewsStoresShared
import NewsCore

/// Translates the request of a sync client to SQL.
///
/// Streams are in the order of ids. All ids have an index, but single streams have no index in that order, because it
/// would slow down every refresh. There are two ways to find items; the way that reads fewer rows is chosen. Either all
/// ids are read in order and each item is checked. Or the items of the most selective condition are read by its index
/// and sorted.
struct StreamSelection {
  private let request: StreamRequest
  private let connection: Connection
  private let hasLabels: Bool
  private var conditions: [String] = []
  private var values: [SQLValue] = []
  private var order: String

  init(_ request: StreamRequest, limit: Int, _ connection: Connection) throws(StoreError) {
    self.request = request
    self.connection = connection
    hasLabels = try ItemLabels.exist(connection)
    order = "i.id"
    try translate(limit)
  }

  private mutating func translate(_ limit: Int) throws(StoreError) {
    // These are conditions that every item must meet. One of them may be read by its index.
    var required = request.including
    if request.streams.count == 1 {
      required += request.streams
    } else {
      var alternatives: [String] = []
      for stream in request.streams { alternatives.append(condition(stream)) }
      conditions.append(alternatives.isEmpty ? "0" : "+(" + alternatives.joined(separator: " OR ") + ")")
    }
    for stream in request.excluding {
      switch stream {
      case .read: required.append(.unread)
      case .unread: required.append(.read)
      default: conditions.append("NOT (" + condition(stream) + ")")
      }
    }
    let leader = try leader(of: required, limit)
    for (place, stream) in required.enumerated() where stream != .all {
      let sql = condition(stream)
      conditions.append(place == leader ? sql : "+(" + sql + ")")
    }
    if leader != nil { order = "+i.id" }
    if let since = request.storedSince { conditions.append("i.stored >= \(since.seconds)") }
    if let until = request.arrivedUntil {
      conditions.append("min(max(i.stored, 0), \(1 << 40)) * 1000000 + i.id % 1000000 <= \(until)")
    }
    if let after = request.after {
      let sign = request.isOldestFirst ? ">" : "<"
      conditions.append("\(order) \(sign) \(after.rawValue)")
    }
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
    let total = try Counter.items.value(connection)
    // In the order of ids, one of `total / items` items matches on average.
    let looked = best.items == 0 ? total : min(Int64(clamping: limit), total) * total / best.items
    return best.items <= looked ? best.place : nil
  }

  /// Returns the number of items of a stream that has an index; nil if the stream has none.
  private func size(of stream: ItemStream) throws(StoreError) -> Int64? {
    switch stream {
    case .all, .read: return nil
    case .nothing: return 0
    case .unread: return try Counter.unread.value(connection)
    case .starred: return try Counter.starred.value(connection)
    case .feeds(let feeds):
      let list = feeds.map { String($0.rawValue) }.joined(separator: ",")
      return try connection.integer("SELECT coalesce(sum(items), 0) FROM feeds WHERE id IN (\(list))")
    case .label(let name):
      guard hasLabels else { return 0 }
      let row = try connection.prepare("SELECT count(*) FROM item_labels WHERE label = ?")
      try row.bind(1, name)
      return try row.step() ? row.int64(0) : 0
    }
  }

  private mutating func condition(_ stream: ItemStream) -> String {
    switch stream {
    case .all: return "1"
    case .nothing: return "0"
    case .read: return "i.is_read = 1"
    case .unread: return "i.is_read = 0"
    case .starred: return "i.is_starred = 1"
    case .feeds(let feeds): return QueryCondition.condition(feeds: feeds.map(\.rawValue))
    case .label(let name):
      guard hasLabels else { return "0" }
      values.append(.text(name))
      return "i.id IN (SELECT item FROM item_labels WHERE label = ?)"
    }
  }

  private func statement(
    _ columns: String,
    _ more: [String] = [],
    _ end: String
  ) throws(StoreError) -> Statement {
    let all = conditions + more
    let filter = all.isEmpty ? "" : "WHERE " + all.joined(separator: " AND ")
    let statement = try connection.prepare("SELECT \(columns) FROM items AS i \(filter) \(end)")
    for (place, value) in values.enumerated() { try value.bind(to: statement, at: Int32(place + 1)) }
    return statement
  }

  func entries(limit: Int) throws(StoreError) -> [StreamEntry] {
    let direction = request.isOldestFirst ? "ASC" : "DESC"
    let row = try statement("i.id, i.stored", "ORDER BY \(order) \(direction) LIMIT \(max(limit, 0))")
    var entries: [StreamEntry] = []
    while try row.step() {
      entries.append(
        StreamEntry(id: NewsItem.ID(rawValue: row.int64(0)), stored: Timestamp(seconds: row.int64(1)))
      )
    }
    return entries
  }

  private func statement(_ columns: String, _ end: String) throws(StoreError) -> Statement {
    try statement(columns, [], end)
  }

  /// Returns the unread items, oldest first.
  func unread() throws(StoreError) -> [NewsItem.ID] {
    let row = try statement("i.id", ["+i.is_read = 0"], "ORDER BY i.key")
    var ids: [NewsItem.ID] = []
    while try row.step() { ids.append(NewsItem.ID(rawValue: row.int64(0))) }
    return ids
  }
}
