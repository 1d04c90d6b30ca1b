import NewsCore

/// The request of a sync client as SQL over `items AS i`.
///
/// The server's planner chooses between reading in the order of ids and using the index of a condition, because it
/// knows how many items each would read.
struct StreamSelection {
  private let isOldestFirst: Bool
  private var conditions: [String] = []
  private let values = ItemCondition.Values()

  /// `settled` is the highest id to return; see `ItemIDs.settled`.
  init(_ request: StreamRequest, settled: Int64? = nil) {
    isOldestFirst = request.isOldestFirst
    var alternatives: [String] = []
    for stream in request.streams { alternatives.append(condition(stream)) }
    conditions.append(alternatives.isEmpty ? "false" : "(" + alternatives.joined(separator: " OR ") + ")")
    for stream in request.including { conditions.append(condition(stream)) }
    for stream in request.excluding { conditions.append("NOT (" + condition(stream) + ")") }
    if let since = request.storedSince { conditions.append("i.stored >= \(since.seconds)") }
    if let until = request.arrivedUntil {
      conditions.append(
        "least(greatest(i.stored, 0), \(Int64(1) << 40)) * 1000000 + i.id % 1000000 <= \(until)"
      )
    }
    if let settled { conditions.append("i.id <= \(settled)") }
    if let after = request.after {
      conditions.append("i.id \(isOldestFirst ? ">" : "<") \(after.rawValue)")
    }
  }

  private func condition(_ stream: ItemStream) -> String {
    switch stream {
    case .all: "true"
    case .nothing: "false"
    case .read: "i.is_read = 1"
    case .unread: "i.is_read = 0"
    case .starred: "i.is_starred = 1"
    case .feeds(let feeds):
      // Ids are integers, so they are safe to insert into SQL.
      feeds.isEmpty
        ? "false" : "i.feed IN (\(feeds.map { String($0.rawValue) }.joined(separator: ",")))"
    case .label(let name):
      "i.id IN (SELECT item FROM item_labels WHERE label = \(values.add(name)))"
    }
  }

  func entries(limit: Int, _ connection: Connection) throws(StoreError) -> [StreamEntry] {
    try connection.query(
      """
      SELECT i.id, i.stored FROM items AS i WHERE \(conditions.joined(separator: " AND "))
      ORDER BY i.id \(isOldestFirst ? "ASC" : "DESC") LIMIT \(max(limit, 0))
      """,
      parameters: values.parameters
    ).map {
      StreamEntry(id: NewsItem.ID(rawValue: $0.int64(0)), stored: Timestamp(seconds: $0.int64(1)))
    }
  }

  /// The unread items, the oldest first.
  func unread(_ connection: Connection) throws(StoreError) -> [Int64] {
    try connection.query(
      """
      SELECT i.id FROM items AS i WHERE \(conditions.joined(separator: " AND ")) AND i.is_read = 0
      ORDER BY i.sort, i.id
      """,
      parameters: values.parameters
    ).map { $0.int64(0) }
  }
}
