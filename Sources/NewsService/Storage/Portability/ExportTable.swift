import NewsCore

/// A table whose rows are exported column by column; NULL is left out.
struct ExportTable {
  var type: String
  var name: String
  var columns: [String]
  var order: String

  static let all = [
    ExportTable(type: "counter", name: "counters", columns: ["name", "value"], order: "name"),
    ExportTable(
      type: "feed",
      name: "feeds",
      columns: [
        "id", "url", "user_title", "own_title", "site_url", "folder", "position", "items", "unread", "added",
        "settings", "identity", "etag", "last_modified", "validated_url", "body_hash", "next_due",
        "next_due_reason",
        "last_fetched", "last_status", "last_success", "failures", "failing_since", "last_error", "interval",
        "ttl",
        "skip_hours", "skip_days", "update_interval", "update_base", "moved_url", "moved_since",
        "moved_polls",
        "is_gone", "max_age", "hold_host", "hold_until", "former_url", "former_changed",
        "hub_url", "topic_url", "rejected_move",
      ],
      order: "id"
    ),
    ExportTable(
      type: "feed_change",
      name: "feed_changes",
      columns: ["feed", "sequence", "url"],
      order: "feed"
    ),
    ExportTable(
      type: "saved_search",
      name: "saved_searches",
      columns: ["number", "name", "query"],
      order: "number"
    ),
    ExportTable(type: "search", name: "searches", columns: ["number", "query", "time"], order: "number"),
    ExportTable(type: "rule", name: "rules", columns: ["number", "query", "action"], order: "number"),
    ExportTable(
      type: "tombstone",
      name: "tombstones",
      columns: ["sequence", "id", "feed", "identity", "guid", "url"],
      order: "sequence"
    ),
  ]

  func line(_ row: borrowing Statement) -> JSONValue {
    var members: [JSONValue.Member] = [.init(name: "type", value: .string(type))]
    for (place, column) in columns.enumerated() {
      let index = Int32(place)
      guard !row.isNull(index) else { continue }
      let value: JSONValue = row.isInteger(index) ? .integer(row.int64(index)) : .string(row.string(index))
      members.append(.init(name: column, value: value))
    }
    return .object(members)
  }

  /// Writes a row back. Columns that this version does not know are an error: they would be lost.
  func insert(_ value: JSONValue, _ connection: Connection) throws(StoreError) {
    let members = (value.members ?? []).filter { $0.name != "type" }
    for member in members where !columns.contains(member.name) {
      throw StoreError(code: .badQuery, message: "\"\(member.name)\" is no part of a \(type)")
    }
    guard !members.isEmpty else { throw StoreError(code: .badQuery, message: "an empty \(type)") }
    let names = members.map(\.name).joined(separator: ", ")
    let places = members.map { _ in "?" }.joined(separator: ", ")
    let statement = try connection.prepare("INSERT OR REPLACE INTO \(name) (\(names)) VALUES (\(places))")
    for (place, member) in members.enumerated() {
      let index = Int32(place + 1)
      switch member.value {
      case .integer(let number): try statement.bind(index, number)
      case .string(let text): try statement.bind(index, text)
      default:
        throw StoreError(
          code: .badQuery,
          message: "\"\(member.name)\" of a \(type) is neither text nor number"
        )
      }
    }
    try statement.run()
  }
}
