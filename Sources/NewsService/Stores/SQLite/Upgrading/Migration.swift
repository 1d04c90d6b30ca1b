import Glibc
import NewsCore
import NewsStoresShared

/// One step from a layout of the store's file to the next.
///
/// A new store takes all steps after `Schema.tables`, the tables of layout 1, so that an upgraded store has the same tables.
struct Migration: Sendable {
  /// Changes the store within the transaction that also sets the new number of the layout.
  var change: @Sendable (Connection) throws(StoreError) -> Void
  /// For a step that would take too long in one transaction: what is done before it.
  var portions: Portions?

  /// Work in portions, each in its own transaction. It must leave the store usable by the former newsd, and must be
  /// repeatable: if another process has written in between, the work begins again.
  struct Portions: Sendable {
    /// A query for the last position.
    var end: String
    /// Does the work after a position, and returns the position up to which it is done; nil if nothing was left.
    var advance: @Sendable (_ after: Int64, Connection) throws(StoreError) -> Int64?
  }

  /// The steps of this newsd: the first leads from layout 1 to 2. Local to the task, so that a test can be a later newsd.
  @TaskLocal static var all: [Migration] = trial

  /// A layout after the newest one, so that tests of the whole program can upgrade a store; only in debug builds.
  private static var trial: [Migration] {
    #if DEBUG
      if getenv("NEWSD_TRIAL_LAYOUT") != nil { return [.titleLengths] }
    #endif
    return []
  }

  #if DEBUG
    /// A table of a number for each item, which is filled in portions.
    static let titleLengths = Migration(
      change: { connection throws(StoreError) in
        try connection.execute("CREATE INDEX title_lengths_length ON title_lengths (length)")
      },
      portions: Portions(end: "SELECT max(id) FROM items") { after, connection throws(StoreError) in
        try connection.execute(
          "CREATE TABLE IF NOT EXISTS title_lengths (item INTEGER PRIMARY KEY, length INTEGER NOT NULL)"
        )
        try connection.run(
          """
          INSERT OR REPLACE INTO title_lengths
          SELECT id, length(title) FROM items WHERE id > $1 ORDER BY id LIMIT 2000
          """,
          after
        )
        return try connection.number(
          "SELECT max(id) FROM (SELECT id FROM items WHERE id > $1 ORDER BY id LIMIT 2000)",
          after
        )
      }
    )
  #endif
}
