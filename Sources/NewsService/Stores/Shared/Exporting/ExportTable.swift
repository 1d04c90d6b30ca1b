package import NewsCore
package import NewsToolbox

/// A column of an exported table and the values it accepts.
package struct ExportColumn: Sendable {
  package enum Kind: Sendable {
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
    /// As token and number, but dropped from an untrusted export, because it has an effect outside of its row.
    case trustedToken
    case trustedNumber
  }

  package var name: String
  package var kind: Kind

  package static let numbers: ClosedRange<Int64> = -(1 << 50)...(1 << 50)

  /// Returns false if the value must be dropped because the export is not trusted.
  package func keeps(_ value: JSONValue, isTrusted: Bool) -> Bool {
    guard !isTrusted else { return true }
    switch kind {
    case .webAddress: return value.string.flatMap { WebAddress($0) }?.isWeb == true
    case .trustedToken, .trustedNumber: return false
    case .number, .hash, .text, .token: return true
    }
  }

  /// Returns why a value is invalid, or nil if it is valid.
  package func validationError(for value: JSONValue, isTrusted: Bool) -> String? {
    switch (kind, value) {
    case (.number, _), (.hash, _), (.trustedNumber, _):
      guard let number = value.integer else { return "is not an integer" }
      return kind == .hash || Self.numbers.contains(number) ? nil : "is out of range"
    case (.text, .string): return nil
    case (.token, .string(let text)), (.webAddress, .string(let text)), (.trustedToken, .string(let text)):
      return isTrusted || !text.hasControlCharacters ? nil : "contains control characters"
    case (.text, _), (.token, _), (.webAddress, _), (.trustedToken, _): return "is not text"
    }
  }
}

/// A row to store; contains each column at most once.
package struct ExportRow {
  package fileprivate(set) var members: [JSONValue.Member]

  package subscript(_ name: String) -> JSONValue? {
    get { members.first { $0.name == name }?.value }
    set {
      members.removeAll { $0.name == name }
      if let newValue { members.append(.init(name: name, value: newValue)) }
    }
  }
}

/// A table that is exported column by column; NULL values are omitted.
package struct ExportTable: Sendable {
  package var type: String
  package var name: String
  package var columns: [ExportColumn]
  /// The columns of the primary key, by which rows are sorted. They are mandatory: SQLite would otherwise assign a new
  /// number.
  package var order: String
  /// True for a table that is missing in stores made by the first version of newsd.
  package var isLater = false

  package var keys: [String] { order.split(ascii: ",").map { String($0.trimmingBlanks) } }

  private init(
    _ type: String,
    in name: String,
    order: String,
    isLater: Bool = false,
    _ columns: KeyValuePairs<ExportColumn.Kind, String>
  ) {
    self.type = type
    self.name = name
    self.order = order
    self.isLater = isLater
    self.columns = columns.flatMap { kind, names in
      names.split(ascii: " ").map { ExportColumn(name: String($0), kind: kind) }
    }
  }

  package static let all = [
    ExportTable("counter", in: "counters", order: "name", [.token: "name", .number: "value"]),
    ExportTable(
      "change_time",
      in: "change_times",
      order: "time",
      isLater: true,
      [.number: "time sequence"]
    ),
    ExportTable(
      "quiet_edit",
      in: "quiet_edits",
      order: "item",
      isLater: true,
      [.number: "item sequence"]
    ),
    ExportTable(
      "late_mark",
      in: "late_marks",
      order: "item",
      isLater: true,
      [.number: "item sequence time"]
    ),
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
        .number: "moved_since moved_polls is_gone max_age",
        // A cooldown holds up all feeds of its host, also those of other accounts.
        .trustedToken: "hold_host", .trustedNumber: "hold_until",
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
      "rule_fact",
      in: "rule_facts",
      order: "number",
      isLater: true,
      [.number: "number until hits"]
    ),
    ExportTable(
      "tombstone",
      in: "tombstones",
      order: "sequence",
      [.number: "sequence id feed", .hash: "identity", .text: "guid url"]
    ),
    ExportTable(
      "folder",
      in: "folder_settings",
      order: "folder",
      isLater: true,
      [.text: "folder settings"]
    ),
    ExportTable(
      "feed_icon",
      in: "feed_icons",
      order: "feed",
      isLater: true,
      [.number: "feed", .webAddress: "url"]
    ),
    ExportTable(
      "enclosure",
      in: "enclosures",
      order: "item, number",
      isLater: true,
      [.number: "item number", .text: "url", .number: "position is_played changed"]
    ),
    ExportTable(
      "hook",
      in: "hooks",
      order: "name",
      isLater: true,
      [
        .token: "name", .number: "is_active", .text: "query", .token: "events",
        .number: "failing_after takes_backlog delivered last_delivered", .text: "last_error",
        .number: "last_error_time failures next_try",
      ]
    ),
    ExportTable(
      "page_hook",
      in: "page_hooks",
      order: "name",
      isLater: true,
      [.token: "name preset", .text: "query filled"]
    ),
    ExportTable(
      "delivery",
      in: "outbox",
      order: "hook, sequence",
      isLater: true,
      [
        .token: "hook", .number: "sequence", .token: "event", .number: "time item", .text: "notice",
        .number: "batch attempts first_try due", .text: "error",
      ]
    ),
  ]

  package var columnList: String { columns.map(\.name).joined(separator: ", ") }

  package func line(_ row: borrowing some StoreRow & ~Copyable) -> JSONValue {
    var members: [JSONValue.Member] = [.init(name: "type", value: .string(type))]
    for (place, column) in columns.enumerated() {
      let index = Int32(place)
      guard !row.isNull(index) else { continue }
      let value: JSONValue = row.isInteger(index) ? .integer(row.int64(index)) : .string(row.string(index))
      members.append(.init(name: column.name, value: value))
    }
    return .object(members)
  }

  /// Validates each member of a line for its column. An unknown column is an error, because its value would be lost.
  package func row(_ line: JSONValue, isTrusted: Bool) throws(StoreError) -> ExportRow {
    let members = (line.members ?? []).filter { $0.name != "type" }
    var seen: Set<String> = []
    var row = ExportRow(members: [])
    for member in members {
      guard let column = columns.first(where: { $0.name == member.name }) else {
        throw StoreError(code: .badQuery, message: "'\(member.name)' is not part of a \(type)")
      }
      guard seen.insert(member.name).inserted else {
        throw StoreError(code: .badQuery, message: "'\(member.name)' of a \(type) is given twice")
      }
      if let problem = column.validationError(for: member.value, isTrusted: isTrusted) {
        throw StoreError(code: .badQuery, message: "'\(member.name)' of a \(type) \(problem)")
      }
      if column.keeps(member.value, isTrusted: isTrusted), let value = try shortened(member.value, of: column)
      {
        row.members.append(.init(name: member.name, value: value))
      }
    }
    if let missing = keys.first(where: { !seen.contains($0) }) {
      throw StoreError(code: .badQuery, message: "a \(type) without '\(missing)'")
    }
    return row
  }

  /// Cuts a text that is longer than newsd writes it; returns nil for such an address or JSON, which would be another one or none,
  /// and refuses it where the row needs it. Otherwise an account with the import would have backups that it refuses.
  private func shortened(_ value: JSONValue, of column: ExportColumn) throws(StoreError) -> JSONValue? {
    // No column has a lower limit than names.
    guard let text = value.string, text.utf8.count > GivenName.longest,
      let limit = StoredColumn(table: name, name: column.name, isNumber: false).limit, text.utf8.count > limit
    else { return value }
    switch (name, column.name) {
    case ("feeds", "url"), ("page_hooks", "filled"):
      throw StoreError(code: .badQuery, message: "'\(column.name)' of a \(type) has more than \(limit) bytes")
    case (_, "settings"), ("outbox", "notice"): return nil
    default: return column.kind == .webAddress ? nil : .string(GivenName.cut(text, to: Int(limit)))
    }
  }
}
