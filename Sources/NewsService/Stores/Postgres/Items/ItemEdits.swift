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

  private var ids: StoreValue { .array(edits.map(\.former.id.rawValue)) }

  /// Statements that read the stored contents, articles and last versions, and delete the old words and
  /// fingerprints.
  var statements: [Statement] {
    guard !edits.isEmpty else { return [] }
    return [
      Statement(
        """
        SELECT i.id, i.title, c.text, c.details, i.sort FROM items AS i JOIN contents AS c ON c.id = i.id
        WHERE i.id = ANY($1::bigint[])
        """,
        ids
      ),
      Statement(
        """
        SELECT a.item, c.text, c.html FROM articles AS a JOIN contents AS c ON c.id = a.item
        WHERE a.item = ANY($1::bigint[]) AND a.feed_text IS NOT NULL
        """,
        ids
      ),
      Statement(
        """
        SELECT DISTINCT ON (item) item, number, delta FROM versions WHERE item = ANY($1::bigint[])
        ORDER BY item, number DESC
        """,
        ids
      ),
      Statement("DELETE FROM words WHERE id = ANY($1::bigint[]) RETURNING length", ids),
      StoryQueue.removal(ids),
    ]
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
    let stored = Dictionary(answers[0].map { ($0.int64(0), $0) }) { first, _ in first }
    let articles = Dictionary(answers[1].map { ($0.int64(0), $0) }) { first, _ in first }
    let versions = Dictionary(answers[2].map { ($0.int64(0), $0) }) { first, _ in first }
    try StoryQueue.removeKeys(answers[4], connection)
    var words: [(id: Int64, sort: Timestamp, vector: TokenVector)] = []
    for edit in edits {
      let id = edit.former.id.rawValue
      guard let row = stored[id] else { continue }
      let item = try write(edit, row, article: articles[id], version: versions[id], base, connection)
      let sort = sort(edit, row)
      let preparation = item.preparation
      words.append((id, sort, TokenVector(preparation.tokens)))
      stories.append(
        StoryQueue.Entry(
          id: id,
          fingerprint: preparation.fingerprint,
          title: item.title,
          feed: edit.feed,
          sort: sort,
          isNew: false,
          story: edit.former.story
        )
      )
    }
    let former = answers[3].reduce(Int64(0)) { $0 + $1.int64(0) }
    return try ItemRows.insertWords(words, connection) - former
  }

  private func sort(_ edit: Edit, _ row: Row) -> Timestamp {
    edit.keepsSort ? Timestamp(seconds: row.int64(4)) : edit.item.sortTime(stored: edit.former.stored)
  }

  /// Writes one edit. Returns the item as stored.
  private func write(
    _ edit: Edit,
    _ row: Row,
    article: Row?,
    version: Row?,
    _ base: Int64,
    _ connection: Connection
  ) throws(StoreError) -> StoredItem {
    let id = edit.former.id.rawValue
    var item = edit.item
    if let article {
      // The article stays in `contents` until the page is fetched again.
      try ItemArticles.keepFeedText(of: id, item, at: edit.time, connection)
      item = item.withArticle(text: article.string(1), html: article.optionalString(2))
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
    ) { () throws(StoreError) in version.map { ($0.int64(1), TextDelta(bytes: $0.bytes(2))) } }
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
