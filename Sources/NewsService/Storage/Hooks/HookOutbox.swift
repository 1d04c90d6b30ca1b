import NewsCore
import NewsToolbox

/// Writes and reads rows of the outbox, inside a transaction.
enum HookOutbox {
  static func add(
    _ entry: HookEntry,
    to hook: String,
    _ connection: Connection
  ) throws(StoreError) {
    let insert = try connection.prepare(
      """
      INSERT INTO outbox (hook, sequence, event, time, item, notice, due) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?4)
      ON CONFLICT DO NOTHING
      """
    )
    try insert.bind(1, hook)
    try insert.bind(2, entry.sequence)
    try insert.bind(3, entry.event.rawValue)
    try insert.bind(4, entry.time)
    try insert.bind(5, entry.itemID?.rawValue)
    try insert.bind(6, entry.notice?.storedText)
    try insert.run()
  }

  static let entryColumns = "sequence, event, time, item, notice"

  /// The entry in the first columns; nil for an event of a later version.
  static func entry(_ row: borrowing Statement) -> HookEntry? {
    guard let event = HookEvent(rawValue: row.string(1)) else { return nil }
    return HookEntry(
      sequence: row.int64(0),
      event: event,
      time: row.time(2) ?? Timestamp(seconds: 0),
      itemID: row.optionalInt64(3).map(NewsItem.ID.init(rawValue:)),
      notice: row.optionalString(4).flatMap(HookNotice.init(stored:))
    )
  }

  /// The condition that keeps an item which is still to be delivered from being pruned.
  static func pruneCondition(_ connection: Connection) throws(StoreError) -> String {
    guard try Schema.hasHooks(connection) else { return "" }
    return " AND NOT EXISTS (SELECT 1 FROM outbox WHERE item = items.id AND due IS NOT NULL)"
  }
}

extension HookNotice {
  fileprivate var storedText: String {
    var members: [JSONValue.Member] = [.init(name: "message", value: .string(message))]
    if let feedID { members.append(.init(name: "feed_id", value: .integer(feedID.rawValue))) }
    if let feedTitle { members.append(.init(name: "feed", value: .string(feedTitle))) }
    if let feedURL { members.append(.init(name: "feed_url", value: .string(feedURL))) }
    return JSONValue.object(members).serialized
  }

  fileprivate init?(stored text: String) {
    guard let value = JSONValue(valid: text), let message = value["message"]?.string else { return nil }
    self.init(
      message: message,
      feedID: value["feed_id"]?.integer.map(Feed.ID.init(rawValue:)),
      feedTitle: value["feed"]?.string,
      feedURL: value["feed_url"]?.string
    )
  }

  /// A notice about a feed.
  init(_ message: String, about feed: Feed) {
    self.init(
      message: message,
      feedID: feed.id,
      feedTitle: WebAddress.redacted(feed.title),
      feedURL: WebAddress.redacted(feed.url)
    )
  }
}
