import NewsCore

/// The counters of a store: the last number assigned of each kind, and totals. They are one row of the table `counters`, whose
/// key, the number of the last commit, each writing transaction raises. Each commit leaves a dead version of the row, and while
/// an old transaction is open, the server cannot remove them. The row with the highest key is found without reading many.
///
/// Layout 1 had the counters in the row of `store`, and its newsd still changes them there. A trigger brings such a change to the
/// table, and the counters of the table to the row. See docs/decisions/0019-counters-on-postgresql.md.
enum StoreCounters {
  /// SQL that is true for the row. Not with `max`: a plan made while the table has one row reads the whole index for it, and the
  /// server keeps such a plan while dead rows pile up. A sorted row is read from the end of the index.
  static let isLast = "number = (SELECT number FROM counters ORDER BY number DESC LIMIT 1)"

  /// Begins the next commit. The store must be locked.
  static let next = "UPDATE counters SET number = number + 1 WHERE \(isLast)"

  /// Columns with the same name in both tables.
  private static let names = [
    "feed", "item", "sequence", "items", "unread", "starred", "feed_list", "tokens",
  ]

  /// The function of the trigger.
  static let function = "note_counters()"

  /// Creates the table and the trigger.
  static var table: String {
    let list = names.joined(separator: ", ")
    // A difference first: another program may have set a counter to the largest number.
    let raised = names.map { "NEW.\($0) := last.\($0) + (NEW.\($0) - OLD.\($0));" }
    let noted = names.map { "\($0) = NEW.\($0)" }
    return """
      LOCK TABLE store IN SHARE ROW EXCLUSIVE MODE;
      CREATE TABLE counters (number bigint PRIMARY KEY, \(names.map { "\($0) bigint NOT NULL" }.joined(separator: ", ")));
      INSERT INTO counters (number, \(list)) SELECT commits, \(list) FROM store;
      CREATE OR REPLACE FUNCTION \(function) RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
        DECLARE last counters;
        BEGIN
          SELECT * INTO last FROM counters WHERE \(isLast);
          IF FOUND THEN
            NEW.commits := last.number + (NEW.commits - OLD.commits);
            \(raised.joined(separator: "\n      "))
            UPDATE counters SET number = NEW.commits, \(noted.joined(separator: ", ")) WHERE number = last.number;
          END IF;
          RETURN NEW;
        END $$;
      CREATE OR REPLACE TRIGGER counters BEFORE UPDATE ON store FOR EACH ROW EXECUTE FUNCTION \(function)
      """
  }

  /// Brings the counters to the row of `store`, for readers of an earlier version, unless a transaction holds the row.
  static var summing: String {
    let list = names.joined(separator: ", ")
    return """
      UPDATE store SET commits = commits
      WHERE (commits, \(list)) <> (SELECT number, \(list) FROM counters WHERE \(isLast))
        AND one IN (SELECT one FROM store FOR NO KEY UPDATE SKIP LOCKED)
      """
  }
}

extension Connection {
  /// SQL for the row with the counters: the last part of a statement. A store of an earlier version has them in `store`, until a
  /// role that may create tables opens it.
  func countersRow() throws(StoreError) -> String {
    try has("counters")
      ? "counters WHERE \(StoreCounters.isLast)" : "(SELECT *, commits AS number FROM store) AS counters"
  }

  /// Reads a counter. Also checks the layout, because a process that waits for changes may read nothing else.
  func counter(_ column: String) throws(StoreError) -> Int64 {
    let row = try query("SELECT \(column), (SELECT layout FROM store) FROM \(try countersRow())").first
    guard let row else { return 0 }
    try Layout.check(row.int64(1), self)
    return row.int64(0)
  }
}
