public import NewsService

extension NewsStore: StoreExporting {
  public func exportAll(_ consume: @Sendable ([UInt8]) throws -> Void) async throws {
    let connection = try await takeReader()
    var failure: (any Error)?
    try connection.snapshot { () throws(StoreError) in
      var buffer: [UInt8] = []
      func deliver() -> Bool {
        do {
          try consume(buffer)
          buffer.removeAll(keepingCapacity: true)
          return true
        } catch {
          failure = error
          return false
        }
      }
      let isWhole = try Self.forEachLine(connection) { line in
        line.write(to: &buffer)
        buffer.append(0x0A)
        return buffer.count < 64 << 10 || deliver()
      }
      if isWhole, !buffer.isEmpty { _ = deliver() }
    }
    giveBack(connection)
    if let failure { throw failure }
  }

  /// False when `body` returned false and so ended it.
  private static func forEachLine(
    _ connection: Connection,
    _ body: (JSONValue) -> Bool
  ) throws(StoreError) -> Bool {
    let head: [JSONValue.Member] = [
      .init(name: "type", value: .string("newsd")), .init(name: "schema", value: .integer(1)),
    ]
    guard body(.object(head)) else { return false }
    for table in ExportTable.all {
      let statement = try connection.prepare(
        "SELECT \(table.columns.joined(separator: ", ")) FROM \(table.name) ORDER BY \(table.order)"
      )
      while try statement.step() {
        guard body(table.line(statement)) else { return false }
      }
    }
    let items = try connection.prepare("SELECT key FROM items ORDER BY id")
    while try items.step() {
      guard let line = try ItemExport.line(ItemKey(rawValue: items.int64(0)), connection) else { continue }
      guard body(line) else { return false }
    }
    return true
  }

  public func importAll(_ line: @Sendable () throws -> [UInt8]?) async throws -> ImportReport {
    try await write { (connection) throws(StoreError) in
      try StoreImport.run(connection) { () throws(StoreError) -> [UInt8]? in
        do {
          return try line()
        } catch let error as StoreError {
          throw error
        } catch {
          throw StoreError(code: .unreadable, message: "the import cannot be read: \(error)")
        }
      }
    }
  }
}

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
      ],
      order: "id"
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
