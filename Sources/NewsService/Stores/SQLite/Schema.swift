import NewsStoresShared
import NewsCore

/// The layout of the store and the recognition of its files.
enum Schema {
  /// The `user_version` of stores written by this program. Local to the task, so that a test can be a newsd of another
  /// layout.
  @TaskLocal static var version = 1 + Migration.all.count
  /// True during an import into an empty store. If the import creates the store, its `user_version` is negative until the end: a
  /// killed import must not leave a store that looks empty.
  @TaskLocal static var isImporting = false
  /// The numbers that layouts can have. Any other `user_version` is damage.
  static let possibleVersions = 1..<10_000
  /// `application_id`: "nwsd".
  static let applicationID: Int64 = 0x6E77_7364
  /// `application_id` of the six layouts before the first release: "news".
  private static let unreleasedID: Int64 = 0x6E65_7773

  enum State: Hashable { case empty, current }

  /// Distinguishes an empty file from a store of this layout by reading only the header and the schema.
  /// Throws for every other file, which must not be changed. Checks `application_id` first, because another
  /// program's database may have any `user_version`.
  static func state(of connection: Connection) throws(StoreError) -> State {
    let owner = try connection.number("PRAGMA application_id") ?? 0
    let found = Int(try connection.number("PRAGMA user_version") ?? 0)
    switch owner {
    case applicationID:
      guard found != version, !isImporting || found != -version else {
        try refuseForeignParts(connection)
        return .current
      }
      if found == -version { throw .unfinished(connection.path) }
      guard possibleVersions.contains(found) else { throw .unknownLayout(connection.path) }
      throw .otherLayout(of: connection.path, found: found, known: version, isFile: true)
    case unreleasedID:
      throw StoreError(
        code: .olderLayout(found: 0, known: version),
        message:
          "the store \(connection.path) was written by a newsd before the first release. It was not changed. "
          + "Move it to a new store: 'newsd export --all' with the old newsd, 'newsd import --trust' with this one"
      )
    default:
      if owner == 0, found == 0, try connection.number("SELECT count(*) FROM sqlite_master") == 0 {
        return .empty
      }
      // Another process may have created the store since the first query.
      if try connection.number("PRAGMA application_id") == applicationID { return try state(of: connection) }
      throw StoreError(
        code: .corrupt,
        message: "\(connection.path) is a database of another program. It was not changed. "
          + "Name another file with --db"
      )
    }
  }

  /// Throws if the file has a trigger or a foreign view. A view in place of a table could make any query endless, and a
  /// trigger could change other rows.
  private static func refuseForeignParts(_ connection: Connection) throws(StoreError) {
    guard let part = try foreignPart(connection) else { return }
    throw StoreError(
      code: .foreignPart,
      message:
        "the \(part.type) '\(part.name)' in \(connection.path) is not part of a newsd store. The store "
        + "was not changed; 'newsd restore FILE' puts a backup in its place"
    )
  }

  /// Finds a trigger or a foreign view. Also returns nil for a damaged schema, which the checks of the file report.
  private static func foreignPart(_ connection: Connection) throws(StoreError) -> (
    type: String, name: String
  )? {
    do {
      return try connection.first(
        "SELECT type, name FROM sqlite_master WHERE type = 'trigger' OR type = 'view' AND sql <> $1",
        searchableView
      ) { ($0.string(0), $0.string(1)) }
    } catch  where error.code == .corrupt {
      return nil
    }
  }

  /// True if the store has the tables of hooks, which a later version added.
  static func hasHooks(_ connection: Connection) throws(StoreError) -> Bool {
    try connection.has(Connection.lastPartOfHooks)
  }

  /// Tables and indexes that later versions added.
  static let laterParts: Set = [
    "hooks", "outbox", "outbox_due", "outbox_item", "folder_settings", "item_labels", "item_labels_item",
    "secrets", "app_passwords", "sessions", "change_times", "change_times_sequence", "versions_time",
    "quiet_edits", "late_marks", "feed_icons", "enclosures", "rule_facts", "import_places", "feeds_hidden",
    "feeds_folder", "page_hooks",
  ]

  /// The statements of the tables that every store of this layout has.
  static func firstTables() throws(StoreError) -> [String] {
    let model = try Connection(path: ":memory:", access: .creating, busyTimeout: 0)
    try create(model)
    // SQLite makes the tables of the full-text index.
    return try model.rows(
      "SELECT sql, name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'search_*'"
    ) { laterParts.contains($0.string(1)) ? nil : $0.string(0) }.compactMap { $0 }
  }

  /// Adds the tables that a store created by an earlier version lacks.
  static func addLaterTables(_ connection: Connection) throws(StoreError) {
    let names = laterParts.map { "'\($0)'" }.joined(separator: ", ")
    let present = try connection.number("SELECT count(*) FROM sqlite_master WHERE name IN (\(names))")
    guard present != Int64(laterParts.count) else { return }
    try connection.transaction { () throws(StoreError) in
      try createLaterTables(connection)
      try connection.countCommit()
    }
  }

  /// Creates the tables that a store of an earlier version lacks, in the current transaction.
  static func createLaterTables(_ connection: Connection) throws(StoreError) {
    try connection.execute(laterTables)
  }

  /// Creates all tables in an empty file, in one transaction.
  static func create(_ connection: Connection) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      // Another process may have created the tables in the meantime.
      guard try state(of: connection) == .empty else { return }
      try connection.execute(tables)
      for step in Migration.all {
        _ = try step.portions?.advance(0, connection)
        try step.change(connection)
      }
      let layout = isImporting ? -version : version
      try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(layout)")
    }
  }
}
