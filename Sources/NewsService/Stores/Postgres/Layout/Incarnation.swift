import NewsCore
import NewsStoresShared

/// Recognizes that this is not the store of the last transaction: another server has taken over, or a dump
/// was restored. The last commits may be missing then. If their numbers were used again, readers that had seen them
/// would miss changes, so numbers are skipped.
enum Incarnation {
  /// `skipNumbers` of `StoreSession`, for a statement that finds out whether it is needed.
  private static let skipping = """
    UPDATE counters SET sequence = \(Counter.sequence.skipping("sequence")), item = \(Counter.item.skipping("item")),
      feed = \(Counter.feed.skipping("feed")) WHERE \(StoreCounters.isLast);
    PERFORM setval('item_ids', greatest(
      (SELECT item FROM counters WHERE \(StoreCounters.isLast)), (SELECT last_value FROM item_ids)));
    """
  /// Also fences the results of requests that were sent before the restore.
  private static let skippingAfterRestore = """
    \(skipping)
    UPDATE polls SET owner = NULL, token = token + \(Counter.item.gap);
    PERFORM setval(pg_get_serial_sequence('nodes', 'id'), nextval(pg_get_serial_sequence('nodes', 'id')) + \(Counter.item.gap));
    """

  /// Skips numbers if the server, its timeline or the table of the store is another one than before. A restored dump
  /// makes a new table, and a dump of an earlier version does not name its table. The store must be locked.
  static func note(_ connection: Connection) throws(StoreError) {
    try connection.post(
      """
      DO $$
      DECLARE
        present text;
        is_other boolean;
      BEGIN
        BEGIN
          present := (SELECT system_identifier FROM pg_control_system()) || '/'
            || left(pg_walfile_name(pg_current_wal_lsn()), 8);
        EXCEPTION WHEN OTHERS THEN
          -- The role may lack the right to call these functions, and some services do not have them.
          NULL;
        END;
        UPDATE store SET incarnation = present WHERE incarnation IS NULL AND present IS NOT NULL;
        UPDATE store SET incarnation = present WHERE incarnation <> present;
        is_other := FOUND;
        \(noteTable) WHERE store_settings.value <> excluded.value;
        IF FOUND THEN
          \(skippingAfterRestore)
        ELSIF is_other THEN
          \(skipping)
        END IF;
      END $$
      """
    )
  }

  /// Skips numbers, after a restore that newsd cannot notice. The store must be locked.
  static func skipNumbers(_ connection: Connection) throws(StoreError) {
    try connection.execute("DO $$ BEGIN \(skippingAfterRestore) END $$")
  }

  static func noteNewStore(_ connection: Connection) throws(StoreError) { try connection.execute(noteTable) }

  private static let noteTable = """
    INSERT INTO store_settings (name, value) VALUES ('table', 'store'::regclass::oid::bigint)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value
    """
}
