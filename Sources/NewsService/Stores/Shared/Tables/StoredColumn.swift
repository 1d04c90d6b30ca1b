import NewsCore

/// A column of a store.
package struct StoredColumn {
  package var table: String
  package var name: String
  /// True for a column of numbers, into which SQLite takes any value.
  package var isNumber: Bool

  package init(table: String, name: String, isNumber: Bool) {
    self.table = table
    self.name = name
    self.isNumber = isNumber
  }

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
