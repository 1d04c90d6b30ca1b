import CSQLite
import NewsCore
import NewsToolbox

/// A column of an exported table and the values it accepts.
struct ExportColumn {
  enum Kind {
    /// An integer within ±2^50, so that arithmetic cannot overflow.
    case number
    /// Any 64-bit integer.
    case hash
    /// Text for people.
    case text
    /// Text for programs and protocols; control characters are accepted only from a trusted export.
    case token
    /// An http or https URL; other URLs are dropped from an untrusted export.
    case webAddress
  }

  var name: String
  var kind: Kind

  static let numbers: ClosedRange<Int64> = -(1 << 50)...(1 << 50)

  /// Returns false if the value must be dropped because the export is not trusted.
  func keeps(_ value: JSONValue, isTrusted: Bool) -> Bool {
    guard kind == .webAddress, !isTrusted else { return true }
    return value.string.flatMap { WebAddress($0)?.scheme }.map { ["http", "https"].contains($0) } ?? false
  }

  /// Returns why a value is invalid, or nil if it is valid.
  func objection(to value: JSONValue, isTrusted: Bool) -> String? {
    switch (kind, value) {
    case (.number, _), (.hash, _):
      guard let number = value.integer else { return "is not an integer" }
      return kind == .hash || Self.numbers.contains(number) ? nil : "is out of range"
    case (.text, .string): return nil
    case (.token, .string(let text)), (.webAddress, .string(let text)):
      return isTrusted || !text.hasControlCharacters ? nil : "holds control characters"
    case (.text, _), (.token, _), (.webAddress, _): return "is not text"
    }
  }
}

extension String {
  /// True if the text contains a C0 or C1 control character or DEL.
  var hasControlCharacters: Bool {
    unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
  }
}

/// A row to store; contains each column at most once.
struct ExportRow {
  fileprivate(set) var members: [JSONValue.Member]

  subscript(_ name: String) -> JSONValue? {
    get { members.first { $0.name == name }?.value }
    set {
      members.removeAll { $0.name == name }
      if let newValue { members.append(.init(name: name, value: newValue)) }
    }
  }
}

/// A table that is exported column by column; NULL values are omitted.
struct ExportTable {
  var type: String
  var name: String
  var columns: [ExportColumn]
  /// The primary key, which also orders the rows. It is mandatory: SQLite would otherwise assign a new number.
  var order: String

  private init(
    _ type: String,
    in name: String,
    order: String,
    _ columns: KeyValuePairs<ExportColumn.Kind, String>
  ) {
    self.type = type
    self.name = name
    self.order = order
    self.columns = columns.flatMap { kind, names in
      names.split(separator: " ").map { ExportColumn(name: String($0), kind: kind) }
    }
  }

  static let all = [
    ExportTable("counter", in: "counters", order: "name", [.token: "name", .number: "value"]),
    ExportTable(
      "feed",
      in: "feeds",
      order: "id",
      [
        .number: "id", .token: "url", .text: "user_title own_title", .webAddress: "site_url", .text: "folder",
        .number: "position items unread added", .text: "settings", .token: "identity etag last_modified",
        .webAddress: "validated_url", .hash: "body_hash", .number: "next_due", .token: "next_due_reason",
        .number: "last_fetched last_status last_success failures failing_since", .text: "last_error",
        .number: "interval ttl skip_hours skip_days update_interval update_base", .webAddress: "moved_url",
        .number: "moved_since moved_polls is_gone max_age", .token: "hold_host", .number: "hold_until",
        .webAddress: "former_url", .number: "former_changed", .webAddress: "hub_url topic_url rejected_move",
      ]
    ),
    ExportTable("feed_change", in: "feed_changes", order: "feed", [.number: "feed sequence", .token: "url"]),
    ExportTable(
      "saved_search",
      in: "saved_searches",
      order: "number",
      [.number: "number", .text: "name query"]
    ),
    ExportTable(
      "search",
      in: "searches",
      order: "number",
      [.number: "number", .text: "query", .number: "time"]
    ),
    ExportTable("rule", in: "rules", order: "number", [.number: "number", .text: "query action"]),
    ExportTable(
      "tombstone",
      in: "tombstones",
      order: "sequence",
      [.number: "sequence id feed", .hash: "identity", .text: "guid url"]
    ),
  ]

  var columnList: String { columns.map(\.name).joined(separator: ", ") }

  func line(_ row: borrowing Statement) -> JSONValue {
    var members: [JSONValue.Member] = [.init(name: "type", value: .string(type))]
    for (place, column) in columns.enumerated() {
      let index = Int32(place)
      guard !row.isNull(index) else { continue }
      let value: JSONValue = row.isInteger(index) ? .integer(row.int64(index)) : .string(row.string(index))
      members.append(.init(name: column.name, value: value))
    }
    return .object(members)
  }

  /// Returns the rows after the key `after`, in order.
  func lines(after: JSONValue?, limit: Int, _ connection: Connection) throws(StoreError) -> [JSONValue] {
    let bound = after == nil ? "" : "WHERE \(order) > ?2 "
    let row = try connection.prepare("SELECT \(columnList) FROM \(name) \(bound)ORDER BY \(order) LIMIT ?1")
    try row.bind(1, limit)
    if let number = after?.integer { try row.bind(2, number) }
    if let text = after?.string { try row.bind(2, text) }
    var lines: [JSONValue] = []
    while try row.step() { lines.append(line(row)) }
    return lines
  }

  /// Validates each member of a line for its column. An unknown column is an error, because its value would be lost.
  func row(_ line: JSONValue, isTrusted: Bool) throws(StoreError) -> ExportRow {
    let members = (line.members ?? []).filter { $0.name != "type" }
    var seen: Set<String> = []
    var row = ExportRow(members: [])
    for member in members {
      guard let column = columns.first(where: { $0.name == member.name }) else {
        throw StoreError(code: .badQuery, message: "\"\(member.name)\" is not part of a \(type)")
      }
      guard seen.insert(member.name).inserted else {
        throw StoreError(code: .badQuery, message: "\"\(member.name)\" of a \(type) is given twice")
      }
      if let objection = column.objection(to: member.value, isTrusted: isTrusted) {
        throw StoreError(code: .badQuery, message: "\"\(member.name)\" of a \(type) \(objection)")
      }
      if column.keeps(member.value, isTrusted: isTrusted) { row.members.append(member) }
    }
    guard seen.contains(order) else {
      throw StoreError(code: .badQuery, message: "a \(type) without \"\(order)\"")
    }
    return row
  }

  /// Stores a row. Only in `counters` may it replace an existing row: a new store already has them.
  func insert(_ row: ExportRow, _ connection: Connection) throws(StoreError) {
    let names = row.members.map(\.name).joined(separator: ", ")
    let places = row.members.map { _ in "?" }.joined(separator: ", ")
    let verb = name == "counters" ? "INSERT OR REPLACE" : "INSERT"
    let statement = try connection.prepare("\(verb) INTO \(name) (\(names)) VALUES (\(places))")
    for (place, member) in row.members.enumerated() {
      let index = Int32(place + 1)
      switch member.value {
      case .number: try statement.bind(index, member.value.integer)
      case .string(let text): try statement.bind(index, text)
      default: try statement.bind(index, nil as String?)
      }
    }
    try Self.insert(statement, connection)
  }

  /// Runs an insertion. Throws `badQuery` if a column is missing or a unique value already exists.
  static func insert(_ statement: borrowing Statement, _ connection: Connection) throws(StoreError) {
    do {
      try statement.run()
    } catch {
      guard sqlite3_errcode(connection.raw) & 0xFF == SQLITE_CONSTRAINT else { throw error }
      let reason = String(cString: sqlite3_errmsg(connection.raw))
      throw StoreError(code: .badQuery, message: "the row does not fit: \(reason)")
    }
  }
}
