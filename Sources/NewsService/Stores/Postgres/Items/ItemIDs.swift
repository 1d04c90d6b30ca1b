import NewsCore

/// Allocates ids of new items from a sequence. A transaction can therefore have ids before it locks the store.
///
/// Sync clients ask for the items after an id. An item with a lower id may be committed later, and the client would
/// miss it. Each transaction therefore takes an advisory lock on the last allocated id before it allocates its own.
/// `settled` derives from these locks the highest id that clients may see. Any role that may connect can take such a lock,
/// so only those of roles count that may write to the store.
struct ItemIDs {
  /// Allocated ids that are unused, in descending order.
  private var reserved: [Int64] = []
  private(set) var highest: Int64 = 0

  /// The first half of the lock's key; the second half is the sequence's last id.
  private static let space = "hashtext('newsd items ' || current_schema())"

  static let lockStatement = Statement(
    """
    SELECT 1 FROM (
      SELECT pg_advisory_xact_lock_shared(\(space), least(CASE WHEN is_called THEN last_value ELSE 0 END, 2147483647)::integer)
      FROM item_ids) AS l
    """
  )

  /// Reads the highest id such that this id and all lower ones are committed or will never be used. Must run before the
  /// snapshot in which the items are read.
  static let settled = Statement(
    """
    SELECT least(
      (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM item_ids),
      (SELECT min(l.objid::bigint) FROM pg_locks AS l WHERE l.locktype = 'advisory' AND l.objsubid = 2
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND l.classid = (\(space)::bigint & 4294967295)::oid
        AND EXISTS (SELECT 1 FROM pg_stat_activity AS a, pg_class AS c WHERE a.pid = l.pid AND c.oid = 'store'::regclass
          AND (has_table_privilege(a.usesysid, c.oid, 'UPDATE') OR pg_has_role(a.usesysid, c.relowner, 'MEMBER')))))
    """
  )

  mutating func reserve(_ rows: Rows) {
    reserved = (reserved + rows.map { $0.int64(0) }).sorted(by: >)
  }

  /// Takes ids, in descending order. Allocates more if too few are reserved.
  mutating func take(_ count: Int, _ connection: Connection) throws(StoreError) -> [Int64] {
    if reserved.count < count {
      let rows = try connection.run([
        Self.lockStatement,
        Statement("SELECT nextval('item_ids') FROM generate_series(1, $1::bigint)", count - reserved.count),
      ])
      reserve(rows[1])
    }
    let taken = Array(reserved.suffix(count))
    reserved.removeLast(count)
    highest = max(highest, taken.first ?? 0)
    return taken
  }

  /// Raises the sequence to the highest id in the store.
  static func raise(_ connection: Connection) throws(StoreError) {
    try connection.query(
      """
      SELECT setval('item_ids', item) FROM counters, item_ids
      WHERE \(StoreCounters.isLast) AND item > 0 AND last_value <= item
      """
    )
  }
}
