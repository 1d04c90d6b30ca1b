import Glibc

/// One step from a layout of a store on PostgreSQL to the next, in two parts: newsd of both layouts can use the store
/// between them. A new store takes all steps after `Layout.tables`, the tables of layout 1.
struct ServerMigration: Sendable {
  /// Adds what the new layout needs, in one transaction that locks tables for a moment only. The former newsd must be able
  /// to go on.
  var expand: String
  /// Indexes that are built while others write.
  var indexes: [Index] = []
  /// Removes what only the former newsd needs, once none uses the store. It must leave nothing undone that this newsd needs.
  var contract = ""

  struct Index: Sendable {
    var name: String
    /// What follows the name in `CREATE INDEX`.
    var definition: String
  }

  /// The steps of this newsd: the first leads from layout 1 to 2. Local to the task, so that a test can be a later newsd.
  @TaskLocal static var all: [ServerMigration] = trial

  /// A layout after the newest one, so that tests of the whole program can upgrade a store; only in debug builds.
  private static var trial: [ServerMigration] {
    #if DEBUG
      if getenv("NEWSD_TRIAL_LAYOUT") != nil { return [.titleLengths] }
    #endif
    return []
  }

  #if DEBUG
    static let titleLengths = ServerMigration(
      expand: "ALTER TABLE items ADD COLUMN title_length bigint",
      indexes: [Index(name: "items_stored", definition: "ON items (stored)")],
      contract: "UPDATE items SET title_length = length(title) WHERE title_length IS NULL"
    )
  #endif
}
