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
    try connection.integer("SELECT 1 FROM sqlite_master WHERE name = 'item_labels'") == 1
  }

  /// Creates the table in a store created by a version without labels.
  private static func prepare(_ connection: Connection) throws(StoreError) {
    guard try !exist(connection) else { return }
    try connection.execute(laterTables)
  }

  /// The labels of an item, by name.
  static func read(_ id: Int64, _ connection: Connection) throws(StoreError) -> [String] {
    let row = try connection.prepare("SELECT label FROM item_labels WHERE item = ? ORDER BY label")
    try row.bind(1, id)
    var labels: [String] = []
    while try row.step() { labels.append(row.string(0)) }
    return labels
  }

  /// Returns true if the item did not have the label.
  @discardableResult
  static func add(_ label: String, to id: Int64, _ connection: Connection) throws(StoreError) -> Bool {
    try prepare(connection)
    let row = try connection.prepare(
      "INSERT INTO item_labels (label, item) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING 1"
    )
    try row.bind(1, label)
    try row.bind(2, id)
    return try row.step()
  }

  /// Returns true if the item had the label.
  static func remove(_ label: String, from id: Int64, _ connection: Connection) throws(StoreError) -> Bool {
    guard try exist(connection) else { return false }
    let row = try connection.prepare("DELETE FROM item_labels WHERE label = ? AND item = ? RETURNING 1")
    try row.bind(1, label)
    try row.bind(2, id)
    return try row.step()
  }

  /// Deletes the labels of an item that is removed.
  static func removeAll(of id: Int64, _ connection: Connection) throws(StoreError) {
    guard try exist(connection) else { return }
    let statement = try connection.prepare("DELETE FROM item_labels WHERE item = ?")
    try statement.bind(1, id)
    try statement.run()
  }

  /// The labels of an item, even if the store has no table for them.
  static func exported(of id: Int64, _ connection: Connection) throws(StoreError) -> [String] {
    try exist(connection) ? try read(id, connection) : []
  }
}
