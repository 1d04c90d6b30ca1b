import NewsStoresShared
import NewsCore

/// The labels that the user gives to items. They are independent of the tags of feeds and rules. A label exists as long
/// as an item has it.
enum ItemLabels {
  /// The statement has no line break after the table's name, so that SQLite stores the same text in every store.
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

  /// Returns true if the store has the table. A store created by a version without labels lacks it until a process
  /// opens the store for writing.
  static func exist(_ connection: Connection) throws(StoreError) -> Bool {
    try connection.has(Connection.labelTable)
  }
}
