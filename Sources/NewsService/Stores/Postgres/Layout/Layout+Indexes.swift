import NewsCore
import NewsToolbox

extension Layout {
  /// The tables whose rows an import writes by the million, except those with a primary key only.
  private static let largeTables = ["items", "words", "item_tags", "story_keys"]
  /// The primary key that rows enter in random order.
  private static let storyKey = (
    table: "story_keys", name: "story_keys_pkey", columns: "days, key, sort, item"
  )

  /// The statements in `tables` that create indexes of large tables, with the names of the indexes.
  private static var largeIndexes: [(name: String, sql: String)] {
    tables.split(ascii: "\n").compactMap { line in
      let words = line.split(ascii: " ")
      guard words.starts(with: ["CREATE", "INDEX"]), words.count > 4, largeTables.contains(String(words[4]))
      else {
        return nil
      }
      return (String(words[2]), String(line))
    }
  }

  /// Drops the indexes of large tables. Building them once is faster than a change of each for every row.
  static func dropLargeIndexes(_ connection: Connection) throws(StoreError) {
    for index in largeIndexes { try connection.post("DROP INDEX \(index.name)") }
    try connection.post("ALTER TABLE \(storyKey.table) DROP CONSTRAINT \(storyKey.name)")
    try connection.sendPosted()
  }

  static func createLargeIndexes(_ connection: Connection) throws(StoreError) {
    for index in largeIndexes { try connection.execute(index.sql) }
    try connection.execute("ALTER TABLE \(storyKey.table) ADD PRIMARY KEY (\(storyKey.columns))")
  }
}
