import NewsStoresShared
import NewsCore

/// Removes items and writes a tombstone for each. Runs inside a transaction.
struct ItemRemover {
  private let connection: Connection
  private var sequence: Int64
  private let firstSequence: Int64
  private var items: Int64 = 0
  private var unread: Int64 = 0
  private var starred: Int64 = 0
  private var tokens: Int64 = 0

  /// Maximum number of items removed by one set of statements.
  private static let portion = 2000

  init(_ connection: Connection) throws(StoreError) {
    self.connection = connection
    firstSequence = try connection.lastNumber(.sequence)
    sequence = firstSequence
  }

  /// Removes the items and logs the removals in the given order.
  mutating func remove(_ ids: [Int64]) throws(StoreError) {
    var start = 0
    while start < ids.count {
      let end = min(start + Self.portion, ids.count)
      try remove(portion: Array(ids[start..<end]))
      start = end
    }
  }

  private mutating func remove(portion ids: [Int64]) throws(StoreError) {
    let list = StoreValue.array(ids)
    let rows = try connection.query(
      """
      INSERT INTO tombstones (sequence, id, feed, identity, guid, url)
      SELECT $2::bigint + row_number() OVER (ORDER BY u.n), i.id, i.feed, i.identity, coalesce(i.guid, i.url, ''), i.url
      FROM unnest($1::bigint[]) WITH ORDINALITY AS u(id, n) JOIN items AS i ON i.id = u.id
      RETURNING id
      """,
      list,
      sequence
    )
    sequence += Int64(rows.count)
    for row in try connection.query(
      """
      SELECT feed, count(*), count(*) FILTER (WHERE is_read = 0), count(*) FILTER (WHERE is_starred = 1)
      FROM items WHERE id = ANY($1::bigint[]) GROUP BY feed
      """,
      list
    ) {
      items += row.int64(1)
      unread += row.int64(2)
      starred += row.int64(3)
      try connection.query(
        "UPDATE feeds SET items = items - $1::bigint, unread = unread - $2::bigint WHERE id = $3",
        row.int64(1),
        row.int64(2),
        row.int64(0)
      )
    }
    tokens +=
      try connection.number(
        """
        WITH gone AS (DELETE FROM words WHERE id = ANY($1::bigint[]) RETURNING length)
        SELECT coalesce(sum(length), 0)::bigint FROM gone
        """,
        list
      ) ?? 0
    try StoryQueue.remove(ids, connection)
    for (table, column) in [
      ("item_tags", "item"), ("versions", "item"), ("articles", "item"), ("item_labels", "item"),
      ("enclosures", "item"),
      ("contents", "id"), ("items", "id"),
    ] { try connection.query("DELETE FROM \(table) WHERE \(column) = ANY($1::bigint[])", list) }
  }

  /// Updates the totals, which are wrong from the first removal until this is called.
  mutating func finish() throws(StoreError) {
    try connection.query(
      """
      UPDATE counters SET items = items - $1::bigint, unread = unread - $2::bigint, starred = starred - $3::bigint,
        tokens = tokens - $4::bigint, sequence = sequence + $5::bigint
      WHERE \(StoreCounters.isLast)
      """,
      items,
      unread,
      starred,
      tokens,
      sequence - firstSequence
    )
    if sequence != firstSequence { connection.announced.insert(.log) }
  }
}
