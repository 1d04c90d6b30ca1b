package import NewsCore

/// A table that requests read as a whole, so that its rows are limited.
enum WholeTable: String, CaseIterable {
  case savedSearches = "saved_searches"
  case rules
  case folders = "folder_settings"

  /// Maximum number of rows.
  fileprivate static let most: Int64 = 1000
  /// Maximum number of bytes of all rows.
  fileprivate static let mostBytes: Int64 = 1 << 20

  fileprivate var columns: [String] {
    switch self {
    case .savedSearches: ["name", "query"]
    case .rules: ["query", "action"]
    case .folders: ["folder", "settings"]
    }
  }

  /// The rows of a table, and their bytes.
  struct Size {
    var count: Int64 = 0
    var bytes: Int64 = 0
  }

  /// What the table would have too much of, in a clause; nil: of nothing.
  fileprivate func excess(_ size: Size) -> String? {
    guard size.count > Self.most || size.bytes > Self.mostBytes else { return nil }
    return """
      there would be \(size.count) \(noun) with \(size.bytes) bytes, and newsd keeps \(Self.most) with \
      \(Self.mostBytes) at most
      """
  }

  fileprivate var noun: String {
    switch self {
    case .savedSearches: "saved searches"
    case .rules: "rules"
    case .folders: "folders with settings or without feeds"
    }
  }
}

extension StoreSession {
  /// What a table has, to be passed to `refuseExcess` after rows were added in the same transaction.
  func size(of table: WholeTable) throws(StoreError) -> WholeTable.Size {
    let bytes = table.columns.map { Self.byteCount(of: $0) }.joined(separator: " + ")
    return try first(
      "SELECT count(*), CAST(coalesce(sum(\(bytes)), 0) AS bigint) FROM \(table.rawValue)"
    ) { WholeTable.Size(count: $0.int64(0), bytes: $0.int64(1)) } ?? WholeTable.Size()
  }

  /// Throws `badQuery` if a table has more than requests may read, and more than before.
  func refuseExcess(of table: WholeTable, from former: WholeTable.Size) throws(StoreError) {
    let size = try size(of: table)
    guard size.count > former.count || size.bytes > former.bytes, let excess = table.excess(size) else {
      return
    }
    throw StoreError(code: .badQuery, message: "\(excess); remove some first")
  }

  /// Throws `corrupt` if the store has more than newsd lets it have of what requests read as a whole. The person who hands over a
  /// store can add rows.
  package func refuseExcesses() throws(StoreError) {
    for table in WholeTable.allCases where try has(table.rawValue) {
      if let excess = table.excess(try size(of: table)) { throw refusal(excess) }
    }
    guard try has(Self.labelTable) else { return }
    let labels =
      try number("SELECT max(n) FROM (SELECT count(*) AS n FROM item_labels GROUP BY item) AS counts") ?? 0
    if labels > ItemLabel.mostOfItem {
      throw refusal("an item would have \(labels) labels, and newsd gives it \(ItemLabel.mostOfItem) at most")
    }
  }

  private func refusal(_ excess: String) -> StoreError {
    StoreError(code: .corrupt, message: "\(excess); such a store cannot be an account's")
  }
}
