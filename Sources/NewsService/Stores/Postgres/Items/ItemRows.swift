import NewsStoresShared
import NewsCore

/// Writes rows that refer to items, many in one statement.
enum ItemRows {
  static func insertContents(_ items: [(id: Int64, item: StoredItem)], _ connection: Connection)
    throws(StoreError)
  {
    try connection.post(
      Statement(
        """
        INSERT INTO contents (id, author, summary, details, text, html)
        SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
        """,
        parameters: [
          .array(items.map(\.id)), .array(items.map { Optional($0.item.author) }),
          .array(items.map(\.item.summary)),
          .array(items.map(\.item.detailsText)), .array(items.map { Optional($0.item.text) }),
          .array(items.map(\.item.html)),
        ]
      )
    )
  }

  /// Inserts words and returns their number. The statement is sent with the next one, which throws its error.
  static func insertWords(
    _ vectors: [(id: Int64, sort: Timestamp, vector: TokenVector)],
    _ connection: Connection
  ) throws(StoreError) -> Int64 {
    try connection.post(
      Statement(
        """
        INSERT INTO words (id, sort, clipped, length, words)
        SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::tsvector[])
        """,
        parameters: [
          .array(vectors.map(\.id)), .array(vectors.map(\.sort.seconds)),
          .array(vectors.map(\.vector.clipped)),
          .array(vectors.map(\.vector.length)), .array(vectors: vectors.map(\.vector.bytes)),
        ]
      )
    )
    return vectors.reduce(0) { $0 + $1.vector.length }
  }

  /// Replaces an item's words, and returns by how much their number grew.
  static func replaceWords(
    of id: Int64,
    _ sort: Timestamp,
    _ vector: TokenVector,
    _ connection: Connection
  ) throws(StoreError) -> Int64 {
    let former = try connection.number("DELETE FROM words WHERE id = $1 RETURNING length", id) ?? 0
    return try insertWords([(id, sort, vector)], connection) - former
  }

  static func insertTags(_ items: [(id: Int64, tags: [String])], _ connection: Connection) throws(StoreError)
  {
    var ids: [Int64] = []
    var tags: [String?] = []
    for item in items {
      for tag in Set(item.tags.map { $0.lowercased() }) {
        ids.append(item.id)
        tags.append(tag)
      }
    }
    guard !ids.isEmpty else { return }
    try connection.post(
      "INSERT INTO item_tags (item, tag) SELECT * FROM unnest($1::bigint[], $2::text[]) ON CONFLICT DO NOTHING",
      StoreValue.array(ids),
      StoreValue.array(tags)
    )
  }

  static func insertLabels(
    _ items: [(id: Int64, labels: [String])],
    _ connection: Connection
  ) throws(StoreError) {
    let rows = items.flatMap { item in item.labels.map { (item.id, $0) } }
    guard !rows.isEmpty else { return }
    try connection.post(
      "INSERT INTO item_labels (item, label) SELECT * FROM unnest($1::bigint[], $2::text[]) ON CONFLICT DO NOTHING",
      StoreValue.array(rows.map(\.0)),
      StoreValue.array(rows.map { Optional($0.1) })
    )
  }

  static func setTags(
    _ tags: [String],
    was old: [String],
    of id: Int64,
    _ connection: Connection
  ) throws(StoreError) {
    let new = Set(tags.map { $0.lowercased() })
    let former = Set(old.map { $0.lowercased() })
    let gone = former.subtracting(new)
    if !gone.isEmpty {
      try connection.post(
        "DELETE FROM item_tags WHERE item = $1 AND tag = ANY($2::text[])",
        id,
        StoreValue.array(gone.map(Optional.some))
      )
    }
    try insertTags([(id, Array(new.subtracting(former)))], connection)
  }
}
