import NewsCore

/// Writes items inside a transaction that has locked the store.
///
/// New items are collected, and many are written in one statement: with a round trip of one millisecond,
/// separate statements would store forty items a second. Likewise, `prefetch` reads the stored items for a
/// whole batch before it is matched.
final class ItemWriter {
  let connection: Connection
  private let firstID: Int64
  private var lastID: Int64
  private let firstSequence: Int64
  private(set) var sequence: Int64
  private var items: Int64 = 0
  private var unread: Int64 = 0
  private var starred: Int64 = 0
  private var tokens: Int64 = 0
  private var feedList: Int64 = 0

  /// Nil: new and edited items fire no hooks.
  var hooks: HookBook?
  /// The hooks that may fire for the current document.
  var watch: HookBook.Watch?

  var known = KnownItems()
  /// The feeds of the records stored so far.
  var touched: Set<Feed.ID> = []
  private var waiting: [NewItem] = []
  private var waitingBytes = 0
  private var stories: StoryQueue
  /// Number of undated items for each time that they share, in a feed's first document. Every 64 of them take
  /// one second, as in the SQLite store.
  private var undated: [Timestamp: Int64] = [:]

  /// Limits on the number and bytes of collected items; they are written when one is reached.
  private static let portion = 2000
  private static let portionBytes = 8 << 20

  init(_ connection: Connection) throws(StoreError) {
    self.connection = connection
    let row = try connection.query("SELECT item, sequence FROM store").first
    firstID = row?.int64(0) ?? 0
    lastID = firstID
    firstSequence = row?.int64(1) ?? 0
    sequence = firstSequence
    stories = StoryQueue(connection)
  }

  func takeSequence() -> Int64 {
    sequence += 1
    return sequence
  }

  func takeID() -> Int64 {
    lastID += 1
    return lastID
  }

  func takeIDs(_ count: Int) -> [NewsItem.ID] {
    lastID += Int64(count)
    return (0..<Int64(count)).map { NewsItem.ID(rawValue: lastID - $0) }
  }

  func noteFeedListChange() { feedList += 1 }

  // MARK: Inserting

  func insert(_ new: NewItem) throws(StoreError) {
    var new = new
    if new.item.published == nil, new.sortTime < new.stored {
      let place = undated[new.sortTime, default: 0]
      undated[new.sortTime] = place + 1
      new.sortTime = new.sortTime + place / 64
    }
    items += 1
    if !new.initial.isRead { unread += 1 }
    if new.initial.isStarred { starred += 1 }
    waiting.append(new)
    sequences.append(takeSequence())
    waitingBytes += new.item.text.utf8.count + (new.item.html?.utf8.count ?? 0)
    if waiting.count >= Self.portion || waitingBytes >= Self.portionBytes { try flush() }
  }

  /// The sequence numbers of `waiting`.
  private var sequences: [Int64] = []

  /// Writes the collected items.
  func flush() throws(StoreError) {
    let new = waiting
    let sequences = sequences
    waiting = []
    self.sequences = []
    waitingBytes = 0
    for item in new {
      stories.append(
        StoryQueue.Entry(
          id: item.id.rawValue,
          fingerprint: item.item.preparation.fingerprint,
          title: item.item.title,
          feed: item.feed,
          sort: item.sortTime,
          isNew: true
        )
      )
    }
    let clusters = try stories.assign()
    guard !new.isEmpty else { return try stories.write() }
    try insertRows(new, sequences, clusters)
    try ItemRows.insertContents(new.map { ($0.id.rawValue, $0.item) }, connection)
    let vectors = new.map { ($0.id.rawValue, $0.sortTime, TokenVector($0.item.preparation.tokens)) }
    tokens += try ItemRows.insertWords(vectors, connection)
    try stories.write()
    try ItemRows.insertTags(new.map { ($0.id.rawValue, $0.item.details.allTags) }, connection)
  }

  private func insertRows(
    _ new: [NewItem],
    _ sequences: [Int64],
    _ clusters: [Int64: Int64]
  ) throws(StoreError) {
    try connection.query(
      """
      INSERT INTO items (id, feed, sort, identity, revision, is_read, is_starred, has_enclosure, published, updated,
        stored, sequence, change, first_sequence, cluster, language, guid, url, title)
      SELECT id, feed, sort, identity, revision, is_read, is_starred, has_enclosure, published, updated, stored,
        sequence, \(ChangeKind.inserted.rawValue), sequence, cluster, language, guid, url, title
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
        $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::text[], $15::text[],
        $16::text[], $17::text[]) AS u(id, feed, sort, identity, revision, is_read, is_starred, has_enclosure, published,
        updated, stored, sequence, cluster, language, guid, url, title)
      """,
      parameters: [
        .array(new.map(\.id.rawValue)), .array(new.map(\.feed.rawValue)), .array(new.map(\.sortTime.seconds)),
        .array(new.map(\.marks.identity)), .array(new.map(\.marks.revision)),
        .array(new.map { Int64($0.initial.isRead ? 1 : 0) }),
        .array(new.map { Int64($0.initial.isStarred ? 1 : 0) }),
        .array(new.map { Int64($0.item.details.enclosures.isEmpty ? 0 : 1) }),
        .array(new.map { $0.item.published?.seconds }), .array(new.map { $0.item.updated?.seconds }),
        .array(new.map(\.stored.seconds)), .array(sequences), .array(new.map { clusters[$0.id.rawValue] }),
        .array(new.map(\.item.language)),
        .array(new.map { $0.item.guid == $0.item.url ? nil : $0.item.guid }),
        .array(new.map(\.item.url)), .array(new.map { Optional($0.item.title) }),
      ]
    )
  }

  /// Stores only a tombstone for an item that a rule drops.
  func drop(_ item: StoredItem, identity: Int64, feed: Feed.ID) throws(StoreError) {
    try connection.query(
      "INSERT INTO tombstones (sequence, id, feed, identity, guid, url) VALUES ($1, $2, $3, $4, $5, $6)",
      takeSequence(),
      takeID(),
      feed.rawValue,
      identity,
      item.guid ?? item.url ?? "",
      item.url
    )
    known.noteTombstone(identity, in: feed)
  }

  // MARK: Updating

  /// Replaces an item's content. Its id, state, cluster and the tags from rules stay.
  func update(
    _ former: ExistingItem,
    to new: StoredItem,
    _ marks: ItemHashes,
    feed: Feed.ID,
    at time: Timestamp
  ) throws(StoreError) {
    var item = new
    let id = former.id.rawValue
    let number = takeSequence()
    if let article = try connection.feedChanged(former.id, to: item, at: time) {
      item = item.withArticle(text: article.text, html: article.html)
    }
    let row = try connection.query(
      """
      SELECT i.title, c.text, c.details, i.sort FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.id = $1
      """,
      id
    ).first
    guard let row else { return }
    let sortTime = item.sortTime(stored: former.stored)
    let sort = sortTime == former.sortTime ? Timestamp(seconds: row.int64(3)) : sortTime
    let oldDetails = ItemDetails(row.optionalString(2))
    item.details.ruleTags = oldDetails.ruleTags
    try ItemRows.setTags(item.details.allTags, was: oldDetails.allTags, of: id, connection)
    try connection.keepVersion(
      of: former.id,
      title: row.string(0),
      text: row.string(1),
      newTitle: item.title,
      newText: item.text,
      at: time
    )
    try connection.query(
      """
      UPDATE items SET sort = $1, identity = $2, revision = $3, has_enclosure = $4, published = $5, updated = $6,
        sequence = $7, change = \(ChangeKind.updated.rawValue), language = $8, guid = $9, url = $10, title = $11
      WHERE id = $12
      """,
      sort,
      marks.identity,
      marks.revision,
      !item.details.enclosures.isEmpty,
      item.published,
      item.updated,
      number,
      item.language,
      item.guid == item.url ? nil : item.guid,
      item.url,
      item.title,
      id
    )
    try connection.query(
      "UPDATE contents SET author = $1, summary = $2, details = $3, text = $4, html = $5 WHERE id = $6",
      item.author,
      item.summary,
      item.detailsText,
      item.text,
      item.html,
      id
    )
    let preparation = item.preparation
    tokens += try ItemRows.replaceWords(of: id, sort, TokenVector(preparation.tokens), connection)
    try stories.remove([id])
    stories.append(
      StoryQueue.Entry(
        id: id,
        fingerprint: preparation.fingerprint,
        title: item.title,
        feed: feed,
        sort: sort,
        isNew: false,
        cluster: former.cluster
      )
    )
    known.forget(feed)
  }

  // MARK: End

  /// Writes the collected items and the totals.
  func finish() throws(StoreError) {
    try flush()
    try connection.query(
      """
      UPDATE store SET item = item + $1::bigint, sequence = sequence + $2::bigint, items = items + $3::bigint,
        unread = unread + $4::bigint, starred = starred + $5::bigint, tokens = tokens + $6::bigint,
        feed_list = feed_list + $7::bigint
      """,
      lastID - firstID,
      sequence - firstSequence,
      items,
      unread,
      starred,
      tokens,
      feedList
    )
    if sequence != firstSequence { try connection.notify() }
  }
}
