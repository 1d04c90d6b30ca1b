import NewsSearch
import NewsStoresShared
import NewsCore

/// Writes items inside a transaction: most tables immediately, the texts, the full-text index and the totals at the end.
///
/// FTS5 flushes its pending data when a rowid is lower than the previous one, and feeds list their newest items first.
/// Therefore index entries are collected and sorted at the end.
struct ItemWriter {
  private static let insertion = """
    INSERT INTO items (key, id, feed, identity, revision, has_enclosure, published, updated, stored, sequence,
      change, first_sequence, language, guid, url, title, is_read, is_starred, cluster)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?10, \(ChangeKind.inserted.rawValue), ?10, ?, ?, ?, ?, ?, ?, ?)
    """

  let connection: Connection
  private let firstID: Int64
  private var lastID: Int64
  private let firstSequence: Int64
  private(set) var sequence: Int64
  private var items: Int64 = 0
  private var unread: Int64 = 0
  private var starred: Int64 = 0
  private var keys = KeyMaker()
  private var storyBudget = StoryBudget()
  private var removals: [ItemKey: ItemTokens] = [:]
  private var insertions: [ItemKey: ItemTokens] = [:]
  /// The bytes of the stored texts that edits have brought into memory, and how many make the collected changes be written: a small
  /// document can edit many large items.
  private var editedBytes = 0
  private static let mostEditedBytes = 8 << 20
  private var tags = ItemTags()
  private let contents: PendingContents

  /// The hooks that stored items fire; nil if they fire none.
  var hooks: HookBook?
  /// The hooks that may fire for the current document.
  var watch: HookBook.Watch?

  init(_ connection: Connection) throws(StoreError) {
    self.connection = connection
    contents = PendingContents(connection)
    firstID = try connection.lastNumber(.item)
    lastID = firstID
    firstSequence = try connection.lastNumber(.sequence)
    sequence = firstSequence
    connection.storyKeys.begin(version: try connection.number("PRAGMA data_version"))
  }

  /// Writes the collected texts, index entries and totals.
  mutating func finish() throws(StoreError) {
    try writeTexts()
    try connection.add([
      .item: lastID - firstID, .sequence: sequence - firstSequence, .items: items, .unread: unread,
      .starred: starred,
    ])
  }

  /// Writes the collected texts and index entries.
  private mutating func writeTexts() throws(StoreError) {
    try contents.write()
    for key in Set(removals.keys).union(insertions.keys).sorted() {
      if let old = removals[key] { try FullTextIndex.remove(key, old, connection) }
      if let new = insertions[key] { try FullTextIndex.insert(key, new, connection) }
    }
    removals = [:]
    insertions = [:]
    editedBytes = 0
  }

  /// Reserves ids for a number of items. The first item of a document gets the highest id, because feeds list the
  /// newest first.
  mutating func takeIDs(_ count: Int) -> [NewsItem.ID] {
    lastID += Int64(count)
    return (0..<Int64(count)).map { NewsItem.ID(rawValue: lastID - $0) }
  }

  /// Reserves the next change-log number, for an entry other than an item.
  mutating func takeSequence() -> Int64 {
    sequence += 1
    return sequence
  }

  // MARK: Inserting

  mutating func insert(_ new: NewItem) throws(StoreError) {
    sequence += 1
    items += 1
    if !new.initial.isRead { unread += 1 }
    if new.initial.isStarred { starred += 1 }
    let item = new.item
    let id = new.id
    let key = try keys.key(for: new.sortTime, connection)
    let statement = try connection.prepare(Self.insertion)
    let preparation = item.preparation
    let story = try Stories.story(
      for: StoryCandidate(
        fingerprint: preparation.fingerprint,
        title: item.title,
        feedID: new.feed,
        time: new.sortTime
      ),
      key: key,
      &storyBudget,
      connection
    )
    try statement.bind(1, key.rawValue)
    try statement.bind(2, id.rawValue)
    try statement.bind(3, new.feed.rawValue)
    try statement.bind(4, new.marks.identity)
    try statement.bind(5, new.marks.revision)
    try statement.bind(6, !item.details.enclosures.isEmpty)
    try statement.bind(7, item.published)
    try statement.bind(8, item.updated)
    try statement.bind(9, new.stored)
    try statement.bind(10, sequence)
    try statement.bind(11, item.language)
    try statement.bind(12, item.guid == item.url ? nil : item.guid)
    try statement.bind(13, item.url)
    try statement.bind(14, item.title)
    try statement.bind(15, new.initial.isRead)
    try statement.bind(16, new.initial.isStarred)
    try statement.bind(17, story)
    try statement.run()
    contents.add(item, id)
    insertions[key] = preparation.tokens
    try Stories.insert(preparation.fingerprint, key, connection)
    try tags.set(item.details.allTags, was: [], of: key, connection)
    for label in new.initial.labels { try connection.add(label: label, to: id) }
  }

  /// Stores only a tombstone for an item that a rule drops.
  mutating func drop(_ item: StoredItem, identity: Int64, feed: Feed.ID) throws(StoreError) {
    sequence += 1
    lastID += 1
    try connection.insertTombstone(
      sequence: sequence,
      id: lastID,
      feed: feed.rawValue,
      identity: identity,
      guid: item.guid ?? item.url ?? "",
      url: item.url
    )
  }

  /// Writes the collected texts, so that statements of this transaction can read them.
  func writeContents() throws(StoreError) { try contents.write() }

  // MARK: Updating

  /// Replaces an item's content. Its id, state, story and the tags from rules stay. An item without a
  /// story may join one.
  mutating func update(
    _ former: ExistingItem,
    to new: StoredItem,
    _ marks: ItemHashes,
    feed: Feed.ID,
    at time: Timestamp
  ) throws(StoreError) {
    if contents.contains(former.id) { try contents.write() }
    var item = new
    sequence += 1
    let sortTime = item.sortTime(stored: former.stored)
    if let article = try connection.feedChanged(former.id, to: item, at: time) {
      item = item.withArticle(text: article.text, html: article.html)
      editedBytes += article.html?.utf8.count ?? 0
    }
    let key =
      sortTime == former.sortTime ? ItemKey(rawValue: former.row) : try keys.key(for: sortTime, connection)
    try exchangeContents(former, newKey: key, &item, at: time)
    try connection.run(
      """
      UPDATE items SET key = $1, identity = $2, revision = $3, has_enclosure = $4, published = $5, updated = $6,
        sequence = $7, change = \(ChangeKind.updated.rawValue), language = $8, guid = $9, url = $10, title = $11
      WHERE key = $12
      """,
      key,
      marks.identity,
      marks.revision,
      !item.details.enclosures.isEmpty,
      item.published,
      item.updated,
      sequence,
      item.language,
      item.guid == item.url ? nil : item.guid,
      item.url,
      item.title,
      former.row
    )
    contents.add(item, former.id)
    let preparation = item.preparation
    insertions[key] = preparation.tokens
    if former.story == nil {
      let candidate = StoryCandidate(
        fingerprint: preparation.fingerprint,
        title: item.title,
        feedID: feed,
        time: sortTime
      )
      if let story = try Stories.story(for: candidate, key: key, &storyBudget, connection) {
        try Stories.set(story, of: key, connection)
      }
    }
    try Stories.insert(preparation.fingerprint, key, connection)
    if editedBytes >= Self.mostEditedBytes { try writeTexts() }
  }

  /// Removes the old text from the index, updates the tags, and stores the old text as a version if the edit is
  /// significant.
  private mutating func exchangeContents(
    _ former: ExistingItem,
    newKey: ItemKey,
    _ item: inout StoredItem,
    at time: Timestamp
  ) throws(StoreError) {
    let old = try connection.first(
      """
      SELECT i.title, c.author, c.text, c.details FROM items AS i JOIN contents AS c ON c.id = i.id
      WHERE i.key = $1
      """,
      former.row
    ) {
      (
        title: $0.string(0), author: $0.string(1), text: $0.string(2),
        details: ItemDetails($0.optionalString(3))
      )
    }
    guard let old else { return }
    editedBytes += old.title.utf8.count + old.text.utf8.count
    let formerKey = ItemKey(rawValue: former.row)
    // If this transaction has not written the old index entry yet, discard the entry instead of removing it from the
    // index.
    if insertions.removeValue(forKey: formerKey) == nil {
      removals[formerKey] = ItemTokens(title: old.title, author: old.author, text: old.text)
    }
    item.details.ruleTags = old.details.ruleTags
    try connection.keepNumbers(
      ofEnclosures: old.details.enclosures,
      of: former.id,
      replacing: item.details.enclosures
    )
    if newKey == formerKey {
      try tags.set(item.details.allTags, was: old.details.allTags, of: newKey, connection)
    } else {
      try tags.set([], was: old.details.allTags, of: formerKey, connection)
      try tags.set(item.details.allTags, was: [], of: newKey, connection)
    }
    try connection.keepVersion(
      of: former.id,
      title: old.title,
      text: old.text,
      newTitle: item.title,
      newText: item.text,
      at: time
    )
    try Stories.remove(formerKey, connection)
    try connection.run("DELETE FROM contents WHERE id = $1", former.id)
  }
}
