package import NewsCore

// The times of the change log, for clients that ask for what changed since a time. The table `change_times` has a row for
// each second with changes: the last number that the change log reached in it. Its first row is of the time when the
// store got the table: the times of the changes before are unknown.
//
// A mark that was made before it reached the store has an earlier time than its number in the change log; `late_marks` has
// the time for as long as the mark is the item's last change.
//
// An edit without meaning gives the item a number in the change log, but clients need not read the item again. For an item
// whose last change is such an edit, `quiet_edits` has the number of the last change that counts.

extension StoreSession {
  private static func last(_ column: String) -> String {
    "(SELECT \(column) FROM change_times ORDER BY time DESC LIMIT 1)"
  }

  /// The statement that notes the time, in seconds, at which the change log reached `number`; both are SQL expressions.
  /// Does nothing if no changes were logged.
  package static func changeTimeNoting(_ time: String, number: String) -> String {
    """
    INSERT INTO change_times (time, sequence)
    SELECT \(extremes.greatest)(\(time), coalesce(\(last("time")), 0)), \(number)
    WHERE \(number) > coalesce(\(last("sequence")), -1)
    ON CONFLICT (time) DO UPDATE SET sequence = excluded.sequence
    """
  }

  /// The first row: until when, and until which number, the times of changes are unknown. Also the number of the last
  /// change before `time`. Nil in a store that an earlier newsd made and this one has not written to.
  private func changeTimes(
    before time: Timestamp
  ) throws(StoreError) -> (begin: (time: Int64, sequence: Int64), last: Int64)? {
    guard try has("change_times") else { return nil }
    return try first(
      """
      SELECT time, sequence, (SELECT sequence FROM change_times WHERE time < $1 ORDER BY time DESC LIMIT 1)
      FROM change_times ORDER BY time LIMIT 1
      """,
      time
    ) { (begin: (time: $0.int64(0), sequence: $0.int64(1)), last: $0.int64(2)) }
  }

  /// Keeps the number of the item's last change that counts. Called before an edit is written.
  func noteEdit(of id: NewsItem.ID, isSignificant: Bool) throws(StoreError) {
    guard !isSignificant else { return try run("DELETE FROM quiet_edits WHERE item = $1", id) }
    try run(
      """
      INSERT INTO quiet_edits (item, sequence) SELECT i.id, i.sequence FROM items AS i WHERE i.id = $1
      ON CONFLICT (item) DO UPDATE SET sequence = CASE
        WHEN (SELECT i.change FROM items AS i WHERE i.id = excluded.item) = \(ChangeKind.updated.rawValue)
        THEN quiet_edits.sequence ELSE excluded.sequence END
      """,
      id
    )
  }

  /// The number of the last change that counts of an item whose last change is an edit without meaning, or NULL. Looks for
  /// the edit first: few items have one.
  private static func counted(_ item: String) -> String {
    """
    (SELECT q.sequence FROM quiet_edits AS q WHERE q.item = \(item) AND EXISTS (
      SELECT 1 FROM items AS e WHERE e.id = q.item AND e.change = \(ChangeKind.updated.rawValue)))
    """
  }

  /// Returns the condition on `items AS i` for changes at or after a time, or before it. If the time of a change is
  /// unknown, that of storing counts.
  package func isChanged(since time: Timestamp) throws(StoreError) -> String {
    guard let (begin, last) = try changeTimes(before: time) else { return "i.stored >= \(time.seconds)" }
    guard time.seconds > begin.time else {
      return "(i.sequence > \(begin.sequence) OR i.stored >= \(time.seconds))"
    }
    // Without edits that do not count, the index of the numbers suffices.
    let quiet = try number(
      """
      SELECT 1 FROM quiet_edits AS q JOIN items AS e ON e.id = q.item
      WHERE q.sequence <= $1 AND e.sequence > $1 LIMIT 1
      """,
      last
    )
    guard quiet != nil else { return "i.sequence > \(last)" }
    return "i.sequence > \(last) AND coalesce(\(Self.counted("i.id")), i.sequence) > \(last)"
  }

  package func isChanged(until time: Timestamp) throws(StoreError) -> String {
    guard let (begin, last) = try changeTimes(before: time) else { return "i.stored < \(time.seconds)" }
    guard time.seconds > begin.time else {
      return "(i.sequence <= \(begin.sequence) AND i.stored < \(time.seconds))"
    }
    return "coalesce(\(Self.counted("i.id")), i.sequence) <= \(last)"
  }

  /// Returns the times of the items' last changes, read by one statement.
  package func timesOfChange(_ items: some Collection<NewsItem>) throws(StoreError) -> [NewsItem.ID:
    Timestamp]
  {
    var times = Dictionary(items.map { ($0.id, $0.stored) }) { first, _ in first }
    guard !items.isEmpty, try has("change_times") else { return times }
    try forEachRow(
      """
      SELECT i.id, (SELECT time FROM change_times WHERE sequence >= coalesce(\(Self.counted("i.id")), i.sequence)
        ORDER BY sequence LIMIT 1), b.time
      FROM (SELECT time, sequence FROM change_times ORDER BY time LIMIT 1) AS b, items AS i
      WHERE \(Self.unindexed("i.sequence")) > b.sequence AND i.id \(Self.isOne(of: "$1"))
      """,
      StoreValue.integers(items.map(\.id.rawValue))
    ) { row in
      let id = NewsItem.ID(rawValue: row.int64(0))
      guard let time = row.time(1), time.seconds > row.int64(2), let stored = times[id] else { return }
      times[id] = max(time, stored)
    }
    return times
  }

  /// Returns when the user changed the state of items last, as far as that is their last change. The time of a mark before an
  /// edit by the feed is unknown.
  func timesOfMarks(of ids: [NewsItem.ID]) throws(StoreError) -> [NewsItem.ID: Timestamp] {
    var times: [NewsItem.ID: Timestamp] = [:]
    try forEachRow(
      """
      SELECT i.id, coalesce(
        (SELECT l.time FROM late_marks AS l WHERE l.item = i.id AND l.sequence = i.sequence),
        CASE WHEN i.change = \(ChangeKind.state.rawValue) AND \(Self.unindexed("i.sequence")) > b.sequence
          THEN (SELECT c.time FROM change_times AS c WHERE c.sequence >= i.sequence ORDER BY c.sequence LIMIT 1) END)
      FROM (SELECT sequence FROM change_times ORDER BY time LIMIT 1) AS b, items AS i
      WHERE i.id \(Self.isOne(of: "$1"))
      """,
      StoreValue.integers(ids.map(\.rawValue))
    ) { row in times[NewsItem.ID(rawValue: row.int64(0))] = row.time(1) }
    return times
  }

  /// Keeps the time of a mark that the change log has at its current number.
  func note(_ mark: LateMark) throws(StoreError) {
    try run(
      """
      INSERT INTO late_marks (item, sequence, time) SELECT i.id, i.sequence, $2 FROM items AS i WHERE i.id = $1
      ON CONFLICT (item) DO UPDATE SET sequence = excluded.sequence, time = excluded.time
      """,
      mark.item,
      mark.time
    )
  }

  /// Removes what removed items had, and times that are older than a month, except the first one and the last one of each hour.
  package func thinChangeTimes(at now: Timestamp) throws(StoreError) {
    try run(
      """
      DELETE FROM change_times AS c WHERE c.time < $1 AND c.time <> (SELECT min(time) FROM change_times)
        AND c.time <> (SELECT max(l.time) FROM change_times AS l
          WHERE l.time >= c.time AND l.time < (c.time / 3600 + 1) * 3600)
      """,
      now.seconds - 30 * 86_400
    )
    try run("DELETE FROM quiet_edits AS q WHERE NOT EXISTS (SELECT 1 FROM items AS i WHERE i.id = q.item)")
    try run(
      """
      DELETE FROM late_marks AS l
      WHERE NOT EXISTS (SELECT 1 FROM items AS i WHERE i.id = l.item AND i.sequence = l.sequence)
      """
    )
  }
}
