import NewsCore

/// Writes the rows that belong to items, many in one statement.
enum ItemRows {
  static func insertContents(_ items: [(id: Int64, item: StoredItem)], _ connection: Connection)
    throws(StoreError)
  {
    try connection.query(
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
  }

  /// Returns the number of words.
  static func insertWords(
    _ vectors: [(id: Int64, sort: Timestamp, vector: TokenVector)],
    _ connection: Connection
  ) throws(StoreError) -> Int64 {
    try connection.query(
      """
      INSERT INTO words (id, sort, clipped, length, words)
      SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::tsvector[])
      """,
      parameters: [
        .array(vectors.map(\.id)), .array(vectors.map(\.sort.seconds)), .array(vectors.map(\.vector.clipped)),
        .array(vectors.map(\.vector.length)), .array(vectors: vectors.map(\.vector.bytes)),
      ]
    )
    return vectors.reduce(0) { $0 + $1.vector.length }
  }

  /// Returns by how much the number of words grew.
  static func replaceWords(
    of id: Int64,
    _ sort: Timestamp,
    _ vector: TokenVector,
    _ connection: Connection
  ) throws(StoreError) -> Int64 {
    let former = try connection.integer("DELETE FROM words WHERE id = $1 RETURNING length", id) ?? 0
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
    try connection.query(
      "INSERT INTO item_tags (item, tag) SELECT * FROM unnest($1::bigint[], $2::text[]) ON CONFLICT DO NOTHING",
      Parameter.array(ids),
      Parameter.array(tags)
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
      try connection.query(
        "DELETE FROM item_tags WHERE item = $1 AND tag = ANY($2::text[])",
        id,
        Parameter.array(gone.map(Optional.some))
      )
    }
    try insertTags([(id, Array(new.subtracting(former)))], connection)
  }

  // MARK: Versions

  /// Stores the old text if the edit is significant.
  static func keepVersion(
    of id: Int64,
    title: String,
    text: String,
    newTitle: String,
    newText: String,
    at time: Timestamp,
    _ connection: Connection
  ) throws(StoreError) {
    let change = try VersionChange(title: title, text: text, newTitle: newTitle, newText: newText) {
      () throws(StoreError) in
      try connection.query(
        "SELECT number, delta FROM versions WHERE item = $1 ORDER BY number DESC LIMIT 1",
        id
      ).first.map { ($0.int64(0), TextDelta(bytes: $0.bytes(1))) }
    }
    switch change {
    case .none: break
    case .add(let number, let delta):
      try insertVersion(of: id, number: number, at: time, title: title, delta, connection)
      try connection.query(
        "DELETE FROM versions WHERE item = $1 AND number <= $2",
        id,
        number - VersionChange.maximumCount
      )
    case .rebase(let number, let delta):
      try connection.query(
        "UPDATE versions SET delta = $1 WHERE item = $2 AND number = $3",
        StoreValue.bytes(delta.bytes),
        id,
        number
      )
    }
  }

  static func insertVersion(
    of id: Int64,
    number: Int64,
    at time: Timestamp,
    title: String,
    _ delta: TextDelta,
    _ connection: Connection
  ) throws(StoreError) {
    try connection.query(
      "INSERT INTO versions (item, number, time, title, delta) VALUES ($1, $2, $3, $4, $5)",
      id,
      number,
      time,
      title,
      StoreValue.bytes(delta.bytes)
    )
  }

  /// Returns all versions, oldest first, without the current text.
  static func versions(
    of id: Int64,
    text: String,
    _ connection: Connection
  ) throws(StoreError) -> [ItemVersion] {
    var versions: [ItemVersion] = []
    var text = text
    for row in try connection.query(
      "SELECT number, time, title, delta FROM versions WHERE item = $1 ORDER BY number DESC",
      id
    ) {
      guard let earlier = TextDelta(bytes: row.bytes(3)).applied(to: text) else { break }
      text = earlier
      versions.append(
        ItemVersion(
          number: row.int(0),
          replaced: row.time(1) ?? Timestamp(seconds: 0),
          title: row.string(2),
          text: text
        )
      )
    }
    return versions.reversed()
  }
}
