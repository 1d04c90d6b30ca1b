import NewsStoresShared
import NewsCore

/// The changes that a transaction has collected and not written. Until the store is locked, their numbers in the change
/// log count from 1.
struct PendingChanges {
  struct Tombstone {
    var sequence: Int64
    var id: Int64
    var feed: Int64
    var identity: Int64
    var guid: String
    var url: String?
  }

  /// A new guid, link and identity for an item. The change log does not record this.
  struct Renaming {
    var id: Int64
    var guid: String?
    var url: String?
    var identity: Int64
  }

  var items: [(item: NewItem, sequence: Int64)] = []
  var edits: [ItemEdits.Edit] = []
  var renamings: [Renaming] = []
  var tombstones: [Tombstone] = []
  var feedChanges: [(feed: Feed.ID, sequence: Int64)] = []
  /// Updates of feeds' states.
  var states: [Statement] = []
  var articles: [ItemArticles.Request] = []

  /// Writes the renamings. Must run before edits of the same items are written.
  func rename(_ connection: Connection) throws(StoreError) {
    for renaming in renamings {
      try connection.post(
        "UPDATE items SET guid = $1, url = $2, identity = $3 WHERE id = $4",
        renaming.guid,
        renaming.url,
        renaming.identity,
        renaming.id
      )
    }
  }

  /// Writes all changes except renamings, edits and articles, with `base` added to their numbers.
  func write(after base: Int64, _ stories: [Int64: Int64], _ connection: Connection) throws(StoreError) {
    try insertItems(after: base, stories, connection)
    try insertTombstones(after: base, connection)
    for (feed, sequence) in feedChanges { try connection.noteChange(of: feed, sequence: base + sequence) }
    for state in states { try connection.post(state) }
  }

  private func insertItems(
    after base: Int64,
    _ stories: [Int64: Int64],
    _ connection: Connection
  ) throws(StoreError) {
    guard !items.isEmpty else { return }
    let new = items.map(\.item)
    let parameters: [StoreValue] = [
      .array(new.map(\.id.rawValue)), .array(new.map(\.feed.rawValue)), .array(new.map(\.sortTime.seconds)),
      .array(new.map(\.marks.identity)), .array(new.map(\.marks.revision)),
      .array(new.map { Int64($0.initial.isRead ? 1 : 0) }),
      .array(new.map { Int64($0.initial.isStarred ? 1 : 0) }),
      .array(new.map { Int64($0.item.details.enclosures.isEmpty ? 0 : 1) }),
      .array(new.map { $0.item.published?.seconds }), .array(new.map { $0.item.updated?.seconds }),
      .array(new.map(\.stored.seconds)), .array(items.map { base + $0.sequence }),
      .array(new.map { stories[$0.id.rawValue] }), .array(new.map(\.item.language)),
      .array(new.map { $0.item.guid == $0.item.url ? nil : $0.item.guid }),
      .array(new.map(\.item.url)), .array(new.map { Optional($0.item.title) }),
    ]
    try connection.post(Statement(Self.itemInsertion, parameters: parameters))
  }

  private static let itemInsertion = """
    INSERT INTO items (id, feed, sort, identity, revision, is_read, is_starred, has_enclosure, published, updated,
      stored, sequence, change, first_sequence, cluster, language, guid, url, title)
    SELECT id, feed, sort, identity, revision, is_read, is_starred, has_enclosure, published, updated, stored,
      sequence, \(ChangeKind.inserted.rawValue), sequence, cluster, language, guid, url, title
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
      $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::text[], $15::text[],
      $16::text[], $17::text[]) AS u(id, feed, sort, identity, revision, is_read, is_starred, has_enclosure, published,
      updated, stored, sequence, cluster, language, guid, url, title)
    """

  private func insertTombstones(after base: Int64, _ connection: Connection) throws(StoreError) {
    guard !tombstones.isEmpty else { return }
    try connection.post(
      """
      INSERT INTO tombstones (sequence, id, feed, identity, guid, url)
      SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[])
      """,
      StoreValue.array(tombstones.map { base + $0.sequence }),
      StoreValue.array(tombstones.map(\.id)),
      StoreValue.array(tombstones.map(\.feed)),
      StoreValue.array(tombstones.map(\.identity)),
      StoreValue.array(tombstones.map { Optional($0.guid) }),
      StoreValue.array(tombstones.map(\.url))
    )
  }
}
