import NewsStoresShared
import NewsCore

/// Stores the rows of an export in an empty file.
struct StoreImport: ImportSession {
  /// Items indexed per batch, in the order of their keys.
  private static let portion = 1000

  private let connection: Connection
  private var keys = KeyMaker()
  private var tags = ItemTags()
  private let contents: PendingContents
  private var waiting: [(key: ItemKey, item: StoredItem)] = []

  init(_ connection: Connection) {
    self.connection = connection
    contents = PendingContents(connection)
  }

  var name: String { connection.path }

  func isEmpty() throws(StoreError) -> Bool {
    for table in ["feeds", "items", "tombstones"] {
      guard try connection.integer("SELECT count(*) FROM \(table)") == 0 else { return false }
    }
    return true
  }

  mutating func finish() throws(StoreError) {
    try index()
    try connection.execute(FeedLog.completion)
  }

  func insert(_ rows: SideRows) throws(StoreError) { try rows.insert(into: connection) }

  func missingReferences() throws(StoreError) -> [String] {
    try StoreInspection.references(connection).map(\.message)
  }

  func wrongTotals() throws(StoreError) -> [String] {
    try StoreInspection.totals(connection).map(\.message)
  }

  mutating func recount() throws(StoreError) { try StoreInspection.recount(connection) }

  mutating func insert(_ row: ExportRow, into table: ExportTable) throws(StoreError) {
    try table.insert(row, connection)
  }

  mutating func insert(
    _ exported: ExportedItem,
    _ item: StoredItem,
    _ marks: ItemHashes
  ) throws(StoreError) {
    let key = try keys.key(for: exported.sortTime, connection)
    let statement = try connection.prepare(
      """
      INSERT INTO items (key, id, feed, identity, revision, has_enclosure, published, updated, stored, sequence,
        change, first_sequence, language, guid, url, title, is_read, is_starred, cluster)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    )
    try statement.bind(1, key.rawValue)
    try statement.bind(2, exported.integer("id"))
    try statement.bind(3, exported.integer("feed"))
    try statement.bind(4, marks.identity)
    try statement.bind(5, marks.revision)
    try statement.bind(6, !item.details.enclosures.isEmpty)
    try statement.bind(7, item.published)
    try statement.bind(8, item.updated)
    try statement.bind(9, exported.stored)
    try statement.bind(10, exported.integer("sequence"))
    try statement.bind(11, exported.integer("change"))
    try statement.bind(12, exported.integer("first_sequence"))
    try statement.bind(13, item.language)
    try statement.bind(14, item.guid)
    try statement.bind(15, item.url)
    try statement.bind(16, item.title)
    try statement.bind(17, exported.integer("read"))
    try statement.bind(18, exported.integer("starred"))
    try statement.bind(19, exported.cluster)
    try ExportTable.insert(statement, connection)
    contents.add(item, NewsItem.ID(rawValue: exported.integer("id")))
    try contents.write()
    try DuplicateGroups.insert(item.preparation.fingerprint, key, connection)
    try tags.set(item.details.allTags, was: [], of: key, connection)
    try connection.insertParts(of: exported)
    waiting.append((key, item))
    if waiting.count >= Self.portion { try index() }
  }

  private mutating func index() throws(StoreError) {
    waiting.sort { $0.key < $1.key }
    for (key, item) in waiting {
      try FullTextIndex.insert(key, item.preparation.tokens, connection)
    }
    waiting.removeAll(keepingCapacity: true)
  }
}
