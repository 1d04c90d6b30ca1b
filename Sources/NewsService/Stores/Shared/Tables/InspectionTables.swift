package import NewsCore

// Checks that both stores share: references, and totals compared with the rows that they count.

/// The items of each feed, counted.
private let feedSums =
  "SELECT feed, count(*) AS items, count(*) FILTER (WHERE is_read = 0) AS unread FROM items GROUP BY feed"

extension StoreSession {
  private var sums: [(counter: Counter, sql: String)] {
    [
      (.items, "SELECT count(*) FROM items"), (.unread, "SELECT count(*) FROM items WHERE is_read = 0"),
      (.starred, "SELECT count(*) FROM items WHERE is_starred = 1"),
    ]
  }

  /// Counters, each with SQL for the highest number in use; the counter must not be lower.
  private var bounds: [(counter: Counter, sql: String)] {
    func highest(_ column: String, _ tables: [String]) -> String {
      let all = tables.map {
        "coalesce((SELECT max(\(column)) FROM \($0) WHERE \(column) < \(Counter.bound)), 0)"
      }
      return "SELECT \(Self.extremes.greatest)(\(all.joined(separator: ", ")), 0)"
    }
    return [
      (.item, highest("id", ["items", "tombstones"])),
      (.sequence, highest("sequence", logs.map(\.table))),
      (.feed, highest("id", ["feeds"])),
    ]
  }

  /// The tables with entries of the change log, and their keys.
  private var logs: [(table: String, key: String)] {
    [("items", "id"), ("tombstones", "sequence"), ("feed_changes", "feed")]
  }

  /// The tables whose rows have numbers of their item's own, the next of which follows the highest.
  private var numbered: [String] { ["versions", Self.enclosureTable] }

  private func impossibleChanges(in table: String) throws(StoreError) -> Int64 {
    try number("SELECT count(*) FROM \(table) WHERE NOT \(Counter.isPossible("sequence"))") ?? 0
  }

  /// Returns a sentence for each total that differs from the sum of its parts.
  package func wrongTotals() throws(StoreError) -> [String] { try wrongCounters() + wrongFeedTotals() }

  package func wrongCounters() throws(StoreError) -> [String] {
    var wrong: [String] = []
    for (counter, sql) in sums {
      let (found, noted) = (try number(sql) ?? 0, try value(of: counter))
      if found != noted { wrong.append("the counter '\(counter.rawValue)' is \(noted), not \(found)") }
    }
    for (counter, sql) in bounds {
      let (used, noted) = (try number(sql) ?? 0, try value(of: counter))
      if used > noted {
        wrong.append("the counter '\(counter.rawValue)' is \(noted), but number \(used) is in use")
      } else if noted >= Counter.bound {
        wrong.append("the counter '\(counter.rawValue)' is higher than any number that newsd assigns")
      }
    }
    for (table, _) in logs {
      let count = try impossibleChanges(in: table)
      if count > 0 { wrong.append("\(count) rows of '\(table)' have impossible numbers in the change log") }
    }
    for table in numbered where try has(table) {
      let items = try rows("\(Self.misnumbered(table)) ORDER BY item LIMIT 20") { String($0.int64(0)) }
      if !items.isEmpty {
        wrong.append("rows of '\(table)' have impossible numbers: of items \(items.joined(separator: " "))")
      }
    }
    return wrong
  }

  /// SQL for the items of which rows have an impossible number.
  private static func misnumbered(_ table: String) -> String {
    "SELECT DISTINCT item FROM \(table) WHERE NOT \(Counter.isPossible("number"))"
  }

  package func wrongFeedTotals() throws(StoreError) -> [String] {
    let wrong =
      try number(
        """
        WITH found AS (\(feedSums))
        SELECT count(*) FROM feeds AS f LEFT JOIN found ON found.feed = f.id
        WHERE f.items <> coalesce(found.items, 0) OR f.unread <> coalesce(found.unread, 0)
        """
      ) ?? 0
    return wrong > 0 ? ["\(wrong) feeds have wrong counts of their items"] : []
  }

  /// Recomputes all totals, raises the counters to the highest numbers in use, and replaces impossible numbers of the change
  /// log. Deletes the versions, and the states of enclosures, of items that have impossible numbers of them.
  package func recount() throws(StoreError) {
    for (counter, sql) in sums { try set(counter) { _ in "(\(sql))" } }
    for (counter, sql) in bounds {
      try set(counter) {
        let raised = "\(Self.extremes.greatest)(\($0), (\(sql)))"
        return "CASE WHEN \(Counter.isPossible($0)) THEN \(raised) ELSE (\(sql)) END"
      }
    }
    for (table, key) in logs {
      let count = try impossibleChanges(in: table)
      guard count > 0 else { continue }
      try run(
        """
        UPDATE \(table) AS t SET sequence = n.number
        FROM (SELECT \(key) AS k, \(try value(of: .sequence)) + row_number() OVER (ORDER BY \(key)) AS number
          FROM \(table) WHERE NOT \(Counter.isPossible("sequence"))) AS n
        WHERE n.k = t.\(key)
        """
      )
      try add(count, to: .sequence)
    }
    for table in numbered where try has(table) {
      try run("DELETE FROM \(table) WHERE item IN (\(Self.misnumbered(table)))")
    }
    try raiseIDs()
    try run(
      """
      UPDATE feeds AS f SET items = coalesce(found.items, 0), unread = coalesce(found.unread, 0)
      FROM feeds AS g LEFT JOIN (\(feedSums)) AS found ON found.feed = g.id WHERE g.id = f.id
      """
    )
  }

  /// Adds entries in the change log for feeds that have none: older exports lack them.
  package func completeFeedLog() throws(StoreError) {
    let last = try value(of: .sequence)
    try run(
      """
      INSERT INTO feed_changes (feed, sequence)
      SELECT id, \(last) + row_number() OVER (ORDER BY position, id) FROM feeds AS f
      WHERE NOT EXISTS (SELECT 1 FROM feed_changes AS c WHERE c.feed = f.id)
      """
    )
    try set(.sequence) {
      "\(Self.extremes.greatest)(\($0), (SELECT coalesce(max(sequence), 0) FROM feed_changes))"
    }
  }

  /// True if the store has no feeds, items and tombstones.
  package func isEmpty() throws(StoreError) -> Bool {
    for table in ["feeds", "items", "tombstones"] {
      guard try number("SELECT 1 FROM \(table) LIMIT 1") == nil else { return false }
    }
    return true
  }
}

/// A reference of rows to other rows, which an intact store has.
package struct RowReference: Sendable {
  /// What the rows are whose counterpart is missing.
  package let name: String
  package let table: String
  fileprivate let column: String
  fileprivate let other: String
  fileprivate let key: String

  package init(_ name: String, _ table: String, _ column: String, _ other: String, _ key: String) {
    self.name = name
    self.table = table
    self.column = column
    self.other = other
    self.key = key
  }

  /// The rows whose counterpart is missing, for FROM and DELETE FROM. Not with NOT IN: if PostgreSQL's planner does not
  /// expect its list to fit into memory, it compares all rows with all rows.
  package var strays: String {
    "\(table) AS t WHERE NOT EXISTS (SELECT 1 FROM \(other) AS o WHERE o.\(key) = t.\(column))"
  }
}

extension StoreSession {
  /// Rows that belong to an item, or to the fingerprint of one.
  package static var partReferences: [RowReference] {
    [
      RowReference("texts of missing items", "contents", "id", "items", "id"),
      RowReference("tags of missing items", "item_tags", "item", "items", itemReference),
      RowReference("fingerprints of missing items", "stories", "item", "items", itemReference),
      RowReference("story keys of missing items", "story_keys", "item", "stories", "item"),
      RowReference("articles of missing items", "articles", "item", "items", "id"),
      RowReference("labels of missing items", labelTable, "item", "items", "id"),
      RowReference("versions of missing items", "versions", "item", "items", "id"),
      RowReference("enclosures of missing items", enclosureTable, "item", "items", "id"),
    ]
  }

  package static var references: [RowReference] {
    partReferences + [
      RowReference("items of missing feeds", "items", "feed", "feeds", "id"),
      RowReference("items have no text", "items", "id", "contents", "id"),
    ]
  }

  /// Returns a sentence for the rows whose counterpart is missing; nil if there are none, or no table in a store of an
  /// earlier newsd.
  package func strays(_ reference: RowReference) throws(StoreError) -> String? {
    guard try has(reference.table) else { return nil }
    let count = try number("SELECT count(*) FROM \(reference.strays)") ?? 0
    return count > 0 ? "\(count) \(reference.name)" : nil
  }

  /// Deletes the states of enclosures of missing items.
  package func removeStrayEnclosures() throws(StoreError) {
    for reference in Self.partReferences where reference.table == Self.enclosureTable {
      try run("DELETE FROM \(reference.strays)")
    }
  }

  /// Returns a sentence for each kind of rows whose counterpart is missing.
  package func missingReferences() throws(StoreError) -> [String] {
    var found: [String] = []
    for reference in Self.references {
      if let strays = try strays(reference) { found.append(strays) }
    }
    return found
  }
}
