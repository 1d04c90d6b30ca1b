import NewsService

/// Stores refresh records inside one transaction.
///
/// The full-text index takes rows in rising order only (a step back makes it write out what it has gathered), and feeds
/// name their newest items first; so what is to be indexed is collected and sorted before the end.
struct RefreshWriter {
  /// The indexed fields of an item.
  private struct Texts {
    var title: String
    var author: String
    var text: String
  }

  /// What an item was before.
  private struct Former {
    var key: ItemKey
    var id: NewsItem.ID
    var revision: Int64
    var guid: String?
    var url: String?
    var published: Timestamp?
    var stored: Timestamp
    var sortTime: Timestamp { published.map { min($0, stored) } ?? stored }
  }

  private let connection: Connection
  private let firstID: Int64
  private var lastID: Int64
  private let firstSequence: Int64
  private var sequence: Int64
  private var items: Int64 = 0
  private var unread: Int64 = 0
  private var keys = KeyMaker()
  private var removals: [ItemKey: Texts] = [:]
  private var insertions: [ItemKey: Texts] = [:]

  init(_ connection: Connection) throws(StoreError) {
    self.connection = connection
    firstID = try Counter.item.value(connection)
    lastID = firstID
    firstSequence = try Counter.sequence.value(connection)
    sequence = firstSequence
  }

  /// Nil when the feed is gone.
  mutating func store(_ record: RefreshRecord) throws(StoreError) -> RefreshChange? {
    guard let policy = try policy(of: record.feedID) else { return nil }
    var change = RefreshChange(feedID: record.feedID)
    if let parsed = record.parsed {
      try storeItems(of: parsed, record, policy, &change)
    }
    try storeState(record, added: Int64(change.inserted.count))
    return change
  }

  /// Writes what was collected, and the totals.
  mutating func finish() throws(StoreError) {
    for key in Set(removals.keys).union(insertions.keys).sorted() {
      if let old = removals[key] {
        try FullTextIndex.remove(key, title: old.title, author: old.author, text: old.text, connection)
      }
      if let new = insertions[key] {
        try FullTextIndex.insert(key, title: new.title, author: new.author, text: new.text, connection)
      }
    }
    try Counter.item.add(lastID - firstID, connection)
    try Counter.sequence.add(sequence - firstSequence, connection)
    try Counter.items.add(items, connection)
    try Counter.unread.add(unread, connection)
  }

  private func policy(of id: Feed.ID) throws(StoreError) -> IdentityPolicy? {
    let statement = try connection.prepare("SELECT identity, settings FROM feeds WHERE id = ?")
    try statement.bind(1, id.rawValue)
    guard try statement.step() else { return nil }
    let chosen = FeedRow.settings(statement.optionalString(1)).identity ?? statement.optionalString(0)
    return chosen.flatMap(IdentityPolicy.init(rawValue:)) ?? .guid
  }

  private mutating func storeState(_ record: RefreshRecord, added: Int64) throws(StoreError) {
    let next = FeedRow.stateParameters
    let statement = try connection.prepare(
      """
      UPDATE feeds SET \(FeedRow.stateAssignments), own_title = coalesce(?\(next + 1), own_title),
        site_url = coalesce(?\(next + 2), site_url), items = items + ?\(next + 3), unread = unread + ?\(next + 3)
      WHERE id = ?\(next + 4)
      """
    )
    try FeedRow.bind(record.state, to: statement)
    try statement.bind(next + 1, record.parsed?.title.flatMap { $0.isEmpty ? nil : $0 })
    try statement.bind(next + 2, record.parsed?.homePageURL)
    try statement.bind(next + 3, added)
    try statement.bind(next + 4, record.feedID.rawValue)
    try statement.run()
  }

  private mutating func storeItems(
    of parsed: ParsedFeed,
    _ record: RefreshRecord,
    _ policy: IdentityPolicy,
    _ change: inout RefreshChange
  ) throws(StoreError) {
    var seen: Set<Int64> = []
    var inserted: [(identity: Int64, item: StoredItem)] = []
    for parsedItem in parsed.items {
      let item = StoredItem(parsedItem, feedLanguage: parsed.language)
      let identity = policy.identity(of: item)
      // Named twice in one document: the first one counts, or the two would replace each other at every poll.
      guard seen.insert(identity).inserted else { continue }
      if let former = try former(feed: record.feedID, identity: identity) {
        guard former.revision != item.revision else { continue }
        try update(former, to: item, identity)
        change.updated.append(former.id)
      } else if try !isRemoved(feed: record.feedID, identity: identity) {
        inserted.append((identity, item))
      }
    }
    // Feeds name the newest first: counted from the end, a newer item has the higher id.
    lastID += Int64(inserted.count)
    change.inserted = inserted.indices.map { NewsItem.ID(rawValue: lastID - Int64($0)) }
    for (place, new) in inserted.enumerated().reversed() {
      try insert(new.item, new.identity, change.inserted[place], record)
    }
  }

  private func former(feed: Feed.ID, identity: Int64) throws(StoreError) -> Former? {
    let statement = try connection.prepare(
      "SELECT key, id, revision, guid, url, published, stored FROM items WHERE feed = ? AND identity = ?"
    )
    try statement.bind(1, feed.rawValue)
    try statement.bind(2, identity)
    guard try statement.step() else { return nil }
    return Former(
      key: ItemKey(rawValue: statement.int64(0)),
      id: NewsItem.ID(rawValue: statement.int64(1)),
      revision: statement.int64(2),
      guid: statement.optionalString(3),
      url: statement.optionalString(4),
      published: statement.time(5),
      stored: statement.time(6) ?? Timestamp(seconds: 0)
    )
  }

  private func isRemoved(feed: Feed.ID, identity: Int64) throws(StoreError) -> Bool {
    let statement = try connection.prepare("SELECT 1 FROM tombstones WHERE feed = ? AND identity = ?")
    try statement.bind(1, feed.rawValue)
    try statement.bind(2, identity)
    return try statement.step()
  }

  // MARK: Inserting

  private mutating func insert(
    _ item: StoredItem,
    _ identity: Int64,
    _ id: NewsItem.ID,
    _ record: RefreshRecord
  ) throws(StoreError) {
    sequence += 1
    items += 1
    unread += 1
    let key = try keys.key(for: item.sortTime(stored: record.time), connection)
    let statement = try connection.prepare(
      """
      INSERT INTO items (key, id, feed, identity, revision, has_enclosure, published, updated, stored, sequence,
        change, first_sequence, language, guid, url, title)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?10, \(ChangeKind.inserted.rawValue), ?10, ?, ?, ?, ?)
      """
    )
    try statement.bind(1, key.rawValue)
    try statement.bind(2, id.rawValue)
    try statement.bind(3, record.feedID.rawValue)
    try statement.bind(4, identity)
    try statement.bind(5, item.revision)
    try statement.bind(6, !item.details.enclosures.isEmpty)
    try statement.bind(7, item.published)
    try statement.bind(8, item.updated)
    try statement.bind(9, record.time)
    try statement.bind(10, sequence)
    try statement.bind(11, item.language)
    try statement.bind(12, item.guid == item.url ? nil : item.guid)
    try statement.bind(13, item.url)
    try statement.bind(14, item.title)
    try statement.run()
    try insertContents(item, key)
    try ItemTags.set(item.details.tags, was: [], of: key, connection)
  }

  private mutating func insertContents(_ item: StoredItem, _ key: ItemKey) throws(StoreError) {
    let statement = try connection.prepare(
      "INSERT INTO contents (key, author, summary, details, text, html) VALUES (?, ?, ?, ?, ?, ?)"
    )
    try statement.bind(1, key.rawValue)
    try statement.bind(2, item.author)
    try statement.bind(3, item.summary)
    try statement.bind(4, item.details.text)
    try statement.bind(5, item.text)
    try statement.bind(6, item.html)
    try statement.run()
    insertions[key] = Texts(title: item.title, author: item.author, text: item.text)
  }

  // MARK: Updating

  private mutating func update(
    _ former: Former,
    to item: StoredItem,
    _ identity: Int64
  ) throws(StoreError) {
    sequence += 1
    let sortTime = item.sortTime(stored: former.stored)
    let key = sortTime == former.sortTime ? former.key : try keys.key(for: sortTime, connection)
    try removeContents(former.key, newKey: key, newTags: item.details.tags)
    let statement = try connection.prepare(
      """
      UPDATE items SET key = ?, identity = ?, revision = ?, has_enclosure = ?, published = ?, updated = ?,
        sequence = ?, change = \(ChangeKind.updated.rawValue), language = ?, guid = ?, url = ?, title = ?
      WHERE key = ?
      """
    )
    try statement.bind(1, key.rawValue)
    try statement.bind(2, identity)
    try statement.bind(3, item.revision)
    try statement.bind(4, !item.details.enclosures.isEmpty)
    try statement.bind(5, item.published)
    try statement.bind(6, item.updated)
    try statement.bind(7, sequence)
    try statement.bind(8, item.language)
    try statement.bind(9, item.guid == item.url ? nil : item.guid)
    try statement.bind(10, item.url)
    try statement.bind(11, item.title)
    try statement.bind(12, former.key.rawValue)
    try statement.run()
    try insertContents(item, key)
  }

  /// Takes the old texts out, with the tags that change.
  private mutating func removeContents(
    _ key: ItemKey,
    newKey: ItemKey,
    newTags: [String]
  ) throws(StoreError) {
    let row = try connection.prepare(
      """
      SELECT i.title, c.author, c.text, c.details FROM items AS i JOIN contents AS c ON c.key = i.key
      WHERE i.key = ?
      """
    )
    try row.bind(1, key.rawValue)
    guard try row.step() else { return }
    // What this transaction would have put in only later need not be taken out.
    if insertions.removeValue(forKey: key) == nil {
      removals[key] = Texts(title: row.string(0), author: row.string(1), text: row.string(2))
    }
    let oldTags = ItemDetails(row.optionalString(3)).tags
    if newKey == key {
      try ItemTags.set(newTags, was: oldTags, of: key, connection)
    } else {
      try ItemTags.set([], was: oldTags, of: key, connection)
      try ItemTags.set(newTags, was: [], of: newKey, connection)
    }
    let delete = try connection.prepare("DELETE FROM contents WHERE key = ?")
    try delete.bind(1, key.rawValue)
    try delete.run()
  }
}
