import Glibc
package import NewsCore
import NewsStoresShared

/// Stores the rows of an export in an empty file.
struct StoreImport: ImportSession {
  /// Items indexed per batch, in the order of their keys.
  private static let portion = 1000

  let connection: Connection
  private var keys = KeyMaker()
  private var tags = ItemTags()
  private let contents: PendingContents
  private var waiting: [(key: ItemKey, item: StoredItem)] = []

  init(_ connection: Connection) {
    self.connection = connection
    contents = PendingContents(connection)
  }

  mutating func finish() throws(StoreError) {
    try index()
    try connection.completeFeedLog()
  }

  mutating func insert(
    _ exported: ExportedItem,
    _ item: StoredItem,
    _ marks: ItemHashes
  ) throws(StoreError) {
    let key = try keys.key(for: exported.sortTime, connection)
    let id = NewsItem.ID(rawValue: exported.integer("id"))
    try connection.insertImported(
      """
      INSERT INTO items (key, id, feed, identity, revision, has_enclosure, published, updated, stored, sequence,
        change, first_sequence, language, guid, url, title, is_read, is_starred, cluster)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
      """,
      values: [
        key.storeValue, id.storeValue, .integer(exported.integer("feed")), .integer(marks.identity),
        .integer(marks.revision), StoreValue(!item.details.enclosures.isEmpty), StoreValue(item.published),
        StoreValue(item.updated), exported.stored.storeValue, .integer(exported.integer("sequence")),
        .integer(exported.integer("change")), .integer(exported.integer("first_sequence")),
        StoreValue(item.language), StoreValue(item.guid), StoreValue(item.url), .text(item.title),
        .integer(exported.integer("read")), .integer(exported.integer("starred")),
        StoreValue(exported.story),
      ]
    )
    contents.add(item, id)
    try contents.write()
    try Stories.insert(item.preparation.fingerprint, key, connection)
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

extension NewsStore {
  public func importAll(
    _ trust: ImportTrust,
    _ line: @Sendable () throws -> [UInt8]?
  ) async throws -> ImportReport {
    let isNew = access(path, F_OK) != 0
    do {
      return try await Schema.$isImporting.withValue(true) {
        try await transaction { (connection) throws(StoreError) in
          let report = try ImportReader.run(StoreImport(connection), trust, line)
          try connection.execute("PRAGMA user_version = \(Schema.version)")
          return report
        }
      }
    } catch {
      if isNew { await removeEmptyFile() }
      throw error
    }
  }

  /// Removes the file that a failed import has created, so that it is not mistaken for a store without feeds. If
  /// another process has opened the file meanwhile, the file cannot leave WAL mode and is kept.
  private func removeEmptyFile() async {
    let path = path
    try? await maintain { (connection) throws(StoreError) in
      for table in ["feeds", "items", "tombstones", "rules", "saved_searches"] {
        guard try connection.number("SELECT count(*) FROM \(table)") == 0 else { return }
      }
      try connection.execute("PRAGMA journal_mode = DELETE")
      unlink(path)
    }
    await close()
  }
}
