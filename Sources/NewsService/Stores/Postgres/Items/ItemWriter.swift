import NewsStoresShared
import NewsCore

/// Writes items inside a transaction.
///
/// The writer locks the store late, so that several processes can store at once. Before the lock, it reads the feeds,
/// matches the items, collects the changes in `pending`, and inserts the large rows of new items. That takes most of
/// the time. After the lock, it checks that the feeds and definitions have not changed since they were read. Then it
/// finds the stories and writes everything else. If something has changed, the transaction fails with a conflict, and
/// is repeated with the store locked from the start.
///
/// One statement writes many rows: with a round trip of one millisecond, separate statements would store forty items a
/// second.
final class ItemWriter {
  let connection: Connection
  let definitions: Definitions
  let hookSession: DeferredHooks
  /// Nil: new and edited items fire no hooks.
  var hooks: HookBook?
  /// The hooks that may fire for the current document.
  var watch: HookBook.Watch?

  /// The feeds as last read, by `init` or by `reload`.
  private(set) var feeds: [Feed.ID: PlannedFeed]
  /// Feeds whose claims this process has lost: nothing is stored for them.
  let lostFeeds: Set<Feed.ID>
  private let claims: [Feed.ID: NodeClaims.Claim]
  var known = KnownItems()
  /// The feeds of the records stored so far.
  var touched: Set<Feed.ID> = []

  private var ids = ItemIDs()
  /// The last number of the change log before this transaction; nil until the store is locked.
  private var base: Int64?
  /// Number of changes logged so far in this transaction; added to `base`, it gives the last number of the change log.
  private(set) var sequence: Int64 = 0
  private var items: Int64 = 0
  private var unread: Int64 = 0
  private var starred: Int64 = 0
  private var tokens: Int64 = 0
  private var feedList: Int64 = 0

  private var stories = StoryQueue()
  var pending = PendingChanges()
  /// Number of new items in `pending` whose large rows are written.
  private var bodies = 0
  private var waitingBytes = 0
  /// Number of undated items of a feed's first document, by the time that they share. Every 64 of them take one second,
  /// as in the SQLite store.
  private var undated: [Timestamp: Int64] = [:]

  /// Limits on the number and bytes of collected items. When a limit is reached, their large rows are written.
  private static let portion = 2000
  private static let portionBytes = 8 << 20

  /// Reads these feeds, their claims and the user's definitions.
  init(
    _ connection: Connection,
    feeds list: [Feed.ID],
    claims: [Feed.ID: NodeClaims.Claim] = [:]
  ) throws(StoreError) {
    self.connection = connection
    self.claims = claims
    let answers = try connection.run(
      [
        Layout.glanceStatement, ClaimFence.statement(claims, locking: connection.isStoreLocked),
        PlannedFeed.statement(list),
      ]
        + Definitions.statements
    )
    let last = try Layout.noteTransaction(answers[0], connection)
    let sequence = try Counter.sequence.checked(last, in: connection.name)
    if connection.isStoreLocked { base = sequence }
    lostFeeds = ClaimFence.lost(claims, answers[1])
    feeds = Dictionary(answers[2].map { PlannedFeed($0) }.map { ($0.feed.id, $0) }) { first, _ in first }
    definitions = Definitions(answers[3...])
    hookSession = DeferredHooks(connection, definitions)
    hookSession.feeds = feeds
  }

  /// Reads the stored items of documents and allocates ids for the new ones, in one round trip. A second round trip
  /// reads the newest items of feeds with new items, because these may be revisions.
  func prefetch(_ documents: [(feed: Feed.ID, items: [StoredItem])]) throws(StoreError) {
    var keys: Set<KnownItems.Key> = []
    for (feed, items) in documents {
      guard let policy = feeds[feed]?.policy else { continue }
      for item in items {
        keys.insert(KnownItems.Key(feed: feed.rawValue, identity: policy.identity(of: item)))
      }
    }
    guard !keys.isEmpty else { return }
    let list = Array(keys)
    let answers = try connection.run([ItemIDs.lockStatement] + KnownItems.statements(list))
    known.note(list, answers[1], answers[2])
    ids.reserve(answers[3])
    var limits: [Feed.ID: Int] = [:]
    for (feed, items) in documents {
      guard let planned = feeds[feed] else { continue }
      guard planned.items.hasItems else {
        known.noteEmpty(feed)
        continue
      }
      let hasNew = items.contains { known.isNew(planned.policy.identity(of: $0), in: feed) }
      if hasNew { limits[feed] = ItemRevisions.examined(items.count) }
    }
    guard !limits.isEmpty else { return }
    known.noteNewest(limits, try connection.run([KnownItems.newestStatement(limits)])[0])
  }

  /// Reads a feed again after this transaction has changed it.
  func reload(_ feed: Feed.ID) throws(StoreError) -> PlannedFeed? {
    let found = try connection.run([PlannedFeed.statement([feed])])[0].first.map { PlannedFeed($0) }
    feeds[feed] = found
    hookSession.feeds = feeds
    return found
  }

  func takeSequence() -> Int64 {
    sequence += 1
    return sequence
  }

  func takeIDs(_ count: Int) throws(StoreError) -> [NewsItem.ID] {
    try ids.take(count, connection).map(NewsItem.ID.init(rawValue:))
  }

  func noteFeedListChange() { feedList += 1 }

  // MARK: Changes

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
    pending.items.append((new, takeSequence()))
    waitingBytes += new.item.text.utf8.count + (new.item.html?.utf8.count ?? 0)
    if pending.items.count - bodies >= Self.portion || waitingBytes >= Self.portionBytes { try postBodies() }
  }

  /// Stores only a tombstone for an item that a rule drops.
  func drop(_ item: StoredItem, identity: Int64, feed: Feed.ID) throws(StoreError) {
    let id = try ids.take(1, connection)[0]
    pending.tombstones.append(
      PendingChanges.Tombstone(
        sequence: takeSequence(),
        id: id,
        feed: feed.rawValue,
        identity: identity,
        guid: item.guid ?? item.url ?? "",
        url: item.url
      )
    )
    known.noteTombstone(identity, in: feed)
  }

  /// Replaces an item's content. Its id, state, story and the tags from rules stay. An item without a
  /// story may join one.
  func update(
    _ former: ExistingItem,
    to item: StoredItem,
    _ marks: ItemHashes,
    feed: Feed.ID,
    at time: Timestamp
  ) throws(StoreError) {
    pending.edits.append(
      ItemEdits.Edit(
        former: former,
        item: item,
        marks: marks,
        feed: feed,
        time: time,
        sequence: takeSequence()
      )
    )
  }

  // MARK: Writing

  /// Inserts the large rows of new items. This needs no lock, because no other transaction uses these ids.
  private func postBodies() throws(StoreError) {
    let new = pending.items[bodies...].map(\.item)
    bodies = pending.items.count
    waitingBytes = 0
    guard !new.isEmpty else { return }
    try ItemRows.insertContents(new.map { ($0.id.rawValue, $0.item) }, connection)
    let vectors = new.map { ($0.id.rawValue, $0.sortTime, TokenVector($0.item.preparation.tokens)) }
    tokens += try ItemRows.insertWords(vectors, connection)
    try ItemRows.insertTags(new.map { ($0.id.rawValue, $0.item.details.allTags) }, connection)
    try ItemRows.insertLabels(new.map { ($0.id.rawValue, $0.initial.labels) }, connection)
  }

  /// Locks the store and writes the collected changes.
  func flush() throws(StoreError) {
    try postBodies()
    let changes = pending
    pending = PendingChanges()
    bodies = 0
    let edits = ItemEdits(changes.edits)
    var statements: [Statement] = []
    let mustLock = !connection.isStoreLocked
    if mustLock {
      statements = [
        try Layout.lockStatement(connection), ClaimFence.statement(claims, locking: true),
        PlannedFeed.versionStatement(Array(feeds.keys)),
      ]
      statements += Definitions.statements
    }
    let locking = statements.count
    statements += edits.statements
    // An edited item is matched with stories by its article, which must be read first. Without edits, one round trip
    // suffices.
    if edits.isEmpty {
      noteStories(changes)
      if let candidates = stories.candidates { statements.append(candidates) }
    }
    let answers = statements.isEmpty ? [] : try connection.run(statements)
    if mustLock { try noteLock(answers[..<locking]) }
    guard let base else { throw StoreError(code: .other, message: "the store is not locked") }
    try changes.rename(connection)
    var candidates = answers.count > locking ? answers.last : nil
    if !edits.isEmpty {
      tokens += try edits.write(answers[locking...], after: base, &stories, connection)
      noteStories(changes)
      candidates = try stories.candidates.map { (statement) throws(StoreError) in
        try connection.run([statement])[0]
      }
    }
    let assigned = try stories.assign(candidates, connection)
    try changes.write(after: base, assigned, connection)
    try stories.write(connection)
    try hookSession.write(after: base)
    try ItemArticles.request(changes.articles, connection)
  }

  private func noteStories(_ changes: PendingChanges) {
    for (new, _) in changes.items {
      stories.append(
        StoryQueue.Entry(
          id: new.id.rawValue,
          fingerprint: new.item.preparation.fingerprint,
          title: new.item.title,
          feed: new.feed,
          sort: new.sortTime,
          isNew: true
        )
      )
    }
  }

  /// Throws a conflict if claims, feeds or definitions have changed since they were read.
  private func noteLock(_ answers: ArraySlice<Rows>) throws(StoreError) {
    base = try Counter.sequence.checked(try Layout.noteLock(answers[0], connection), in: connection.name)
    let isFenced = ClaimFence.lost(claims, answers[1]) == lostFeeds
    let versions = Dictionary(answers[2].map { ($0.int64(0), $0.string(1)) }) { first, _ in first }
    let isUnchanged =
      versions.count == feeds.count && feeds.allSatisfy { versions[$0.key.rawValue] == $0.value.version }
    guard isFenced, isUnchanged, Definitions(answers[3...]) == definitions else {
      throw connection.conflict("claims, feeds or rules have changed meanwhile")
    }
  }

  /// Writes the collected items and the totals.
  func finish() throws(StoreError) {
    try flush()
    try connection.post(
      """
      UPDATE counters SET item = greatest(item, $1::bigint), sequence = sequence + $2::bigint, items = items + $3::bigint,
        unread = unread + $4::bigint, starred = starred + $5::bigint, tokens = tokens + $6::bigint,
        feed_list = feed_list + $7::bigint
      WHERE \(StoreCounters.isLast)
      """,
      ids.highest,
      sequence,
      items,
      unread,
      starred,
      tokens,
      feedList
    )
    if sequence > 0 { connection.announced.insert(.log) }
    if feedList > 0 { connection.announced.insert(.feedList) }
  }
}
