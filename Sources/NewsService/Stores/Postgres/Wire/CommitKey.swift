import NewsStoresShared
import NewsCore

/// Tells whether a transaction was committed if the answer to its COMMIT was lost.
///
/// Every attempt of the transaction inserts the same random key, so the key is on a server exactly if an attempt was
/// committed there or on a server from which it was replicated. The number of a transaction cannot tell this: after a
/// failover, the new primary server uses the numbers of lost transactions again.
struct CommitKey: Sendable {
  private let value = Int64.random(in: .min ... .max)

  /// Inserts the key, and deletes that of the connection's previous transaction. Rows are not updated: while an old
  /// snapshot keeps the dead versions of a row, each update would take longer.
  func insertion(replacing former: CommitKey?) -> Statement {
    Statement(
      """
      WITH former AS (DELETE FROM commit_keys WHERE key = $2::bigint)
      INSERT INTO commit_keys (key) VALUES ($1::bigint)
      """,
      value,
      former?.value
    )
  }

  /// Inserts the key after an attempt whose COMMIT got no answer. False if the key is there, so that the attempt was
  /// committed. While the server still commits that attempt, the statement waits. It writes in both cases: with
  /// synchronous replication, the answer to its own COMMIT proves that the standby has the key as well.
  func insertAgain(_ connection: Connection) throws(StoreError) -> Bool {
    try connection.query(
      """
      INSERT INTO commit_keys (key) VALUES ($1::bigint) ON CONFLICT (key) DO UPDATE SET made = clock_timestamp()
      RETURNING xmax = 0
      """,
      value
    ).first?.bool(0) ?? true
  }

  /// Deletes the keys of connections that have ended. No process asks for a key for as long as an hour.
  static let cleaning = """
    DELETE FROM commit_keys WHERE key IN (
      SELECT key FROM commit_keys WHERE made < clock_timestamp() - interval '1 hour' FOR UPDATE SKIP LOCKED)
    """
}
