import NewsCore

/// The labels that the user gives to items. They are independent of the tags of feeds and rules, and exist as
/// long as an item has them.
enum ItemLabels {
  /// No line break after the table's name, so that SQLite stores the same text in every store.
  static let tables = """
    CREATE TABLE \(definition);
    CREATE INDEX \(index);
    """
  /// The same statements for stores created by versions without labels.
  static let laterTables =
    "CREATE TABLE IF NOT EXISTS \(definition); CREATE INDEX IF NOT EXISTS \(index);"
  private static let definition = """
    item_labels (
      label TEXT NOT NULL,
      item INTEGER NOT NULL REFERENCES items (id),
      PRIMARY KEY (label, item)
    ) WITHOUT ROWID
    """
  private static let index = "item_labels_item ON item_labels (item)"

  /// True if the store has the table; a store created by a version without labels gets it with the first
  /// label.
  static func exist(_ connection: Connection) throws(StoreError) -> Bool {
    try connection.has(Connection.labelTable)
  }
}
