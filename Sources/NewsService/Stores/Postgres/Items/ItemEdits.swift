import NewsStoresShared
import NewsCore

/// The items of a batch whose content a feed has changed. They are written while the store is locked.
struct ItemEdits {
  struct Edit {
    var former: ExistingItem
    var item: StoredItem
    var marks: ItemHashes
    var feed: Feed.ID
    var time: Timestamp
    /// The edit's number in the change log, counted from 1 in this transaction.
    var sequence: Int64

    /// True if the edit keeps the time by which lists sort the item.
    var keepsSort: Bool { item.sortTime(stored: former.stored) == former.sortTime }
  }

  private let edits: [Edit]

  init(_ edits: [Edit]) { self.edits = edits }

  var isEmpty: Bool { edits.isEmpty }

  /// How many items are read at once at most, and how many bytes of what the store has of them end that before: a small document
  /// can edit many large items.
  private static let (portion, portionBytes) = (2000, 4 << 20)

  /// Statements that read the first items, and delete the old words and fingerprints of all.
  var statements: [Statement] {
    guard !edits.isEmpty else { return [] }
    let ids = StoreValue.array(edits.map(\.former.id.rawValue))
    return [
      Self.reading(edits[...]),
      Statement("DELETE FROM words WHERE id = ANY($1::bigint[]) RETURNING length", ids),
      StoryQueue.removal(ids),
    ]
  }

  /// Reads the stored contents, articles and last versions of the first of these items, in order, each with its place from 1. The
  /// server tells the lengths without reading the texts of the others.
  private static func reading(_ edits: ArraySlice<Edit>) -> Statement {
    Statement(
      """
      SELECT n, title, text, details, sort, has_article, html, version, delta FROM (
        SELECT u.n, i.title, c.text, c.details, i.sort, a.item IS NOT NULL AS has_article,
          CASE WHEN a.item IS NOT NULL THEN c.html END AS html, v.number AS version, v.delta,
          sum(octet_length(i.title)::bigint + octet_length(c.text) + coalesce(octet_length(c.details), 0)
            + coalesce(octet_length(c.html), 0) + coalesce(octet_length(v.delta), 0))
            OVER (ORDER BY u.n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlier
        FROM unnest($1::bigint[]) WITH ORDINALITY AS u(id, n)
        JOIN items AS i ON i.id = u.id JOIN contents AS c ON c.id = u.id
        LEFT JOIN articles AS a ON a.item = u.id AND a.feed_text IS NOT NULL
        LEFT JOIN LATERAL (
          SELECT number, delta FROM versions WHERE item = u.id ORDER BY number DESC LIMIT 1
        ) AS v ON true
      ) AS e WHERE coalesce(earlier, 0) < \(portionBytes) ORDER BY n
      """,
      StoreValue.array(edits.prefix(portion).map(\.former.id.rawValue))
    )
  }

  /// Writes the edits. `base` is the last number of the change log before this transaction. Returns by how
  /// much the number of words grew.
  func write(
    _ answers: ArraySlice<Rows>,
    after base: Int64,
    _ stories: inout StoryQueue,
    _ connection: Connection
  ) throws(StoreError) -> Int64 {
    guard !edits.isEmpty else { return 0 }
    let answers = Array(answers)
    try StoryQueue.removeKeys(answers[2], connection)
    var grown = -answers[1].reduce(Int64(0)) { $0 + $1.int64(0) }
    var rows = answers[0]
    var rest = edits[...]
    while true {
      grown += try write(rows, of: rest, after: base, &stories, connection)
      // Items that are missing have no row.
      rest = rest.dropFirst(rows.last?.int(0) ?? Self.portion)
      guard !rest.isEmpty else { return grown }
      rows = try connection.run([Self.reading(rest)])[0]
    }
  }

  /// Writes the edits of the items that `reading` has read. Returns the number of their words.
  private func write(
    _ rows: Rows,
    of edits: ArraySlice<Edit>,
    after base: Int64,
    _ stories: inout StoryQueue,
    _ connection: Connection
  ) throws(StoreError) -> Int64 {
    var words: [(id: Int64, sort: Timestamp, vector: TokenVector)] = []
    for row in rows {
      let edit = edits[edits.startIndex + row.int(0) - 1]
      let item = try write(edit, row, base, connection)
      let sort = sort(edit, row)
      let preparation = item.preparation
      words.append((edit.former.id.rawValue, sort, TokenVector(preparation.tokens)))
      stories.append(
        StoryQueue.Entry(
          id: edit.former.id.rawValue,
          fingerprint: preparation.fingerprint,
          title: item.title,
          feed: edit.feed,
          sort: sort,
          isNew: false,
          story: edit.former.story
        )
      )
    }
    return try ItemRows.insertWords(words, connection)
  }

  private func sort(_ edit: Edit, _ row: Row) -> Timestamp {
    edit.keepsSort ? Timestamp(seconds: row.int64(4)) : edit.item.sortTime(stored: edit.former.stored)
  }

  /// Writes one edit. Returns the item as stored.
  private func write(
    _ edit: Edit,
    _ row: Row,
    _ base: Int64,
    _ connection: Connection
  ) throws(StoreError) -> StoredItem {
    let id = edit.former.id.rawValue
    var item = edit.item
    if row.bool(5) {
      // The article stays in `contents` until the page is fetched again.
      try ItemArticles.keepFeedText(of: id, item, at: edit.time, connection)
      item = item.withArticle(text: row.string(2), html: row.optionalString(6))
    }
    let oldDetails = ItemDetails(row.optionalString(3))
    item.details.ruleTags = oldDetails.ruleTags
    try connection.keepNumbers(
      ofEnclosures: oldDetails.enclosures,
      of: edit.former.id,
      replacing: item.details.enclosures
    )
    try ItemRows.setTags(item.details.allTags, was: oldDetails.allTags, of: id, connection)
    try connection.keepVersion(
      of: edit.former.id,
      title: row.string(1),
      text: row.string(2),
      newTitle: item.title,
      newText: item.text,
      at: edit.time
    ) { () throws(StoreError) in row.optionalInt64(7).map { ($0, TextDelta(bytes: row.bytes(8))) } }
    try connection.post(
      """
      UPDATE items SET sort = $1, identity = $2, revision = $3, has_enclosure = $4, published = $5, updated = $6,
        sequence = $7, change = \(ChangeKind.updated.rawValue), language = $8, guid = $9, url = $10, title = $11
      WHERE id = $12
      """,
      sort(edit, row),
      edit.marks.identity,
      edit.marks.revision,
      !item.details.enclosures.isEmpty,
      item.published,
      item.updated,
      base + edit.sequence,
      item.language,
      item.guid == item.url ? nil : item.guid,
      item.url,
      item.title,
      id
    )
    try connection.post(
      "UPDATE contents SET author = $1, summary = $2, details = $3, text = $4, html = $5 WHERE id = $6",
      item.author,
      item.summary,
      item.detailsText,
      item.text,
      item.html,
      id
    )
    return item
  }
}
