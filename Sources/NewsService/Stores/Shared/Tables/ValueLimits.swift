package import NewsCore

extension StoredColumn {
  /// The length of the values that newsd writes into the column, in bytes, with some room; nil for credentials, which have
  /// limits of their own (`removeForeignCredentials`).
  package var limit: Int64? {
    if isNumber { return 32 }
    if ["secrets", "app_passwords", "sessions"].contains(table) { return nil }
    if Self.names.contains("\(table).\(name)") { return 4 * Int64(GivenName.longest) }
    if Self.addresses.contains("\(table).\(name)") { return Int64(TypedAddress.longest) }
    return Self.fields.contains("\(table).\(name)") ? Int64(ItemDetails.longestField) : Self.longestValue
  }

  private static let longestValue: Int64 = 256 << 10

  /// What lists of feeds, folders, labels and hooks read at once.
  private static let names: Set = [
    "feeds.user_title", "feeds.own_title", "feeds.folder", "feeds.identity", "feeds.next_due_reason",
    "feeds.last_error", "folder_settings.folder", "saved_searches.name", "tags.name",
    "item_tags.tag", "item_labels.label", "hooks.name", "outbox.hook", "page_hooks.name", "page_hooks.preset",
  ]

  /// Addresses of feeds, which lists of items repeat for each item.
  private static let addresses: Set = ["feeds.url", "feeds.site_url"]

  /// What documents and programs give to items.
  private static let fields: Set = [
    "items.guid", "items.url", "items.title", "contents.author", "contents.summary",
    "contents.details", "contents.text", "contents.html", "articles.feed_text", "articles.feed_html",
    "versions.title", "versions.delta", "tombstones.guid", "tombstones.url", "enclosures.url",
  ]
}

extension StoreSession {
  /// Throws `corrupt` if a value is longer than newsd writes it. The person who hands over a store can write longer ones, which
  /// each request for a list would have in memory.
  package func refuseLongValues() throws(StoreError) {
    let tables = Dictionary(grouping: try storedColumns().filter { $0.limit != nil }, by: \.table)
    for (table, columns) in tables.sorted(by: { $0.key < $1.key }) {
      let lengths = columns.map { "max(" + Self.byteCount(of: "\"" + $0.name + "\"") + ")" }
      let found = try first("SELECT \(lengths.joined(separator: ", ")) FROM \"\(table)\"") { row in
        columns.indices.map { row.int64(Int32($0)) }
      }
      for (column, length) in zip(columns, found ?? []) {
        guard let limit = column.limit, length > limit else { continue }
        throw StoreError(
          code: .corrupt,
          message:
            "the column '\(column.name)' of the table '\(table)' has \(length) bytes, where newsd writes \(limit) at most, so that "
            + "it cannot become an account's; 'newsd export --all', and 'newsd import' of that into a new store, make one "
            + "with shorter values"
        )
      }
    }
  }
}
