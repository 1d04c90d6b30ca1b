import NewsSearch
import NewsStoresShared
import NewsCore

/// New and edited items whose stories are to be found and whose keys are to be stored, in the order in which they
/// were stored.
struct StoryQueue {
  struct Entry {
    var id: Int64
    var fingerprint: ItemFingerprint
    var title: String
    var feed: Feed.ID
    var sort: Timestamp
    /// False if the item was stored before and has been edited.
    var isNew: Bool
    var story: Int64?
  }

  /// An item that may tell the same story.
  private struct Candidate {
    var id: Int64
    var fingerprint: ItemFingerprint
    var title: String
    var feed: Feed.ID
    var sort: Timestamp
  }

  private struct Key: Hashable {
    var days: Int64
    var key: Int64
  }

  /// Maximum number of stored candidates with the same key that are read, and of queued ones that are kept besides. More of
  /// them than are compared may be at the times of other queued items.
  private static let maximumForKey = StoryPeriod.maximumCandidates * 4

  private var entries: [Entry] = []
  private var toWrite: [Entry] = []
  /// The stories that this transaction found or created, by item.
  private var stories: [Int64: Int64] = [:]
  private var budget = StoryBudget()

  mutating func append(_ entry: Entry) { entries.append(entry) }

  /// Finds the stories of the waiting items, in order, as if each had been stored before the next. Returns
  /// the stories of new items; stories of items stored before are written here.
  mutating func assign(_ rows: Rows?, _ connection: Connection) throws(StoreError) -> [Int64: Int64] {
    guard !entries.isEmpty else { return [:] }
    var found = read(rows)
    let stored = found.mapValues(\.count)
    var changed: [Int64: Int64] = [:]
    let new = Set(entries.filter(\.isNew).map(\.id))
    for entry in entries {
      if entry.story == nil, let other = match(entry, found) {
        let story = stories[other] ?? other
        if stories[other] == nil {
          stories[other] = story
          if !new.contains(other) { changed[other] = story }
        }
        stories[entry.id] = story
        if !entry.isNew { changed[entry.id] = story }
      } else if let story = entry.story {
        stories[entry.id] = story
      }
      let candidate = Candidate(
        id: entry.id,
        fingerprint: entry.fingerprint,
        title: entry.title,
        feed: entry.feed,
        sort: entry.sort
      )
      let days = StoryPeriod.number(of: entry.sort)
      for key in entry.fingerprint.keys.map({ Key(days: days, key: $0) })
      where (found[key]?.count ?? 0) - (stored[key] ?? 0) < Self.maximumForKey {
        found[key, default: []].append(candidate)
      }
    }
    let result = stories.filter { new.contains($0.key) }
    if !changed.isEmpty {
      try connection.post(
        "UPDATE items SET cluster = u.c FROM unnest($1::bigint[], $2::bigint[]) AS u(i, c) WHERE id = u.i",
        StoreValue.array(Array(changed.keys)),
        StoreValue.array(Array(changed.values))
      )
    }
    toWrite += entries
    entries = []
    return result
  }

  /// Returns an item of the same story; nil if there is none.
  private mutating func match(_ entry: Entry, _ found: [Key: [Candidate]]) -> Int64? {
    guard !budget.isSpent(entry.feed) else { return nil }
    let candidate = StoryCandidate(
      fingerprint: entry.fingerprint,
      title: entry.title,
      feedID: entry.feed,
      time: entry.sort
    )
    let signatures = StoryComparison.searchKeys(of: candidate)
    guard !signatures.isEmpty else { return nil }
    var seen: Set<Int64> = [entry.id]
    defer { budget.spend(seen.count - 1, of: entry.feed) }
    var titleBytes = 0
    for days in StoryPeriod.numbers(around: entry.sort) {
      for signature in signatures {
        let near = (found[Key(days: days, key: signature)] ?? []).filter {
          $0.sort.distance(to: entry.sort) <= StoryPeriod.span
        }
        for other in near.sorted(by: { ($0.sort, $0.id) < ($1.sort, $1.id) }) {
          guard seen.count <= StoryPeriod.maximumCandidates, titleBytes < StoryPeriod.maximumTitleBytes else {
            return nil
          }
          guard seen.insert(other.id).inserted,
            StoryComparison.mayTellSameStory(candidate.fingerprint, other.fingerprint)
          else { continue }
          let stored = StoryCandidate(
            fingerprint: other.fingerprint,
            title: other.title,
            feedID: other.feed,
            time: other.sort
          )
          titleBytes += stored.title.byteCount
          if StoryComparison.tellSameStory(candidate, stored) { return other.id }
        }
      }
    }
    return nil
  }

  /// Reads the stored items that share a key with a queued one; nil if no queued item has keys.
  var candidates: Statement? {
    var ranges: [Key: (first: Int64, last: Int64)] = [:]
    for entry in entries where entry.story == nil {
      for days in StoryPeriod.numbers(around: entry.sort) {
        for signature in entry.fingerprint.keys {
          let key = Key(days: days, key: signature)
          let first = (entry.sort - StoryPeriod.span).seconds
          let last = (entry.sort + StoryPeriod.span).seconds
          let known = ranges[key]
          ranges[key] = (min(known?.first ?? first, first), max(known?.last ?? last, last))
        }
      }
    }
    guard !ranges.isEmpty else { return nil }
    let keys = Array(ranges.keys)
    return Statement(
      """
      SELECT u.d, u.k, i.id, left(i.title, \(TitleWords.maximumBytes)), i.feed, i.sort, i.cluster, s.fingerprint
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS u(d, k, first, last)
      CROSS JOIN LATERAL (
        SELECT item FROM story_keys WHERE days = u.d AND key = u.k AND sort BETWEEN u.first AND u.last
        ORDER BY sort, item LIMIT \(Self.maximumForKey)
      ) AS c
      JOIN items AS i ON i.id = c.item JOIN stories AS s ON s.item = c.item
      """,
      StoreValue.array(keys.map(\.days)),
      StoreValue.array(keys.map(\.key)),
      StoreValue.array(keys.map { ranges[$0]?.first ?? 0 }),
      StoreValue.array(keys.map { ranges[$0]?.last ?? 0 })
    )
  }

  /// Returns the candidates by key, and records their stories.
  private mutating func read(_ rows: Rows?) -> [Key: [Candidate]] {
    var found: [Key: [Candidate]] = [:]
    guard let rows else { return found }
    for row in rows {
      guard let fingerprint = ItemFingerprint(stored: row.bytes(7)) else { continue }
      let id = row.int64(2)
      if let story = row.optionalInt64(6), stories[id] == nil { stories[id] = story }
      found[Key(days: row.int64(0), key: row.int64(1)), default: []].append(
        Candidate(
          id: id,
          fingerprint: fingerprint,
          title: row.string(3),
          feed: Feed.ID(rawValue: row.int64(4)),
          sort: Timestamp(seconds: row.int64(5))
        )
      )
    }
    return found
  }

  /// Stores the fingerprints and keys of the items for which `assign` has run.
  mutating func write(_ connection: Connection) throws(StoreError) {
    let entries = toWrite.filter { !$0.fingerprint.keys.isEmpty }
    toWrite = []
    try Self.insert(entries.map { ($0.id, $0.sort, $0.fingerprint) }, connection)
  }

  static func insert(
    _ items: [(id: Int64, sort: Timestamp, fingerprint: ItemFingerprint)],
    _ connection: Connection
  ) throws(StoreError) {
    guard !items.isEmpty else { return }
    try connection.post(
      "INSERT INTO stories (item, sort, fingerprint) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[])",
      StoreValue.array(items.map(\.id)),
      StoreValue.array(items.map(\.sort.seconds)),
      StoreValue.array(bytes: items.map(\.fingerprint.bytes))
    )
    var days: [Int64] = []
    var keys: [Int64] = []
    var sorts: [Int64] = []
    var ids: [Int64] = []
    for item in items {
      for key in item.fingerprint.keys {
        days.append(StoryPeriod.number(of: item.sort))
        keys.append(key)
        sorts.append(item.sort.seconds)
        ids.append(item.id)
      }
    }
    try connection.post(
      """
      INSERT INTO story_keys (days, key, sort, item)
      SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
      """,
      StoreValue.array(days),
      StoreValue.array(keys),
      StoreValue.array(sorts),
      StoreValue.array(ids)
    )
  }

  /// Deletes the fingerprints of items. Pass the resulting rows to `removeKeys`.
  static func removal(_ ids: StoreValue) -> Statement {
    Statement("DELETE FROM stories WHERE item = ANY($1::bigint[]) RETURNING item, sort, fingerprint", ids)
  }

  static func remove(_ ids: [Int64], _ connection: Connection) throws(StoreError) {
    try removeKeys(connection.run([removal(.array(ids))])[0], connection)
  }

  static func removeKeys(_ rows: Rows, _ connection: Connection) throws(StoreError) {
    var days: [Int64] = []
    var keys: [Int64] = []
    var sorts: [Int64] = []
    var items: [Int64] = []
    for row in rows {
      let sort = Timestamp(seconds: row.int64(1))
      for key in Set(ItemFingerprint(stored: row.bytes(2))?.keys ?? []) {
        days.append(StoryPeriod.number(of: sort))
        keys.append(key)
        sorts.append(sort.seconds)
        items.append(row.int64(0))
      }
    }
    guard !keys.isEmpty else { return }
    try connection.post(
      """
      DELETE FROM story_keys AS s
      USING unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS u(days, key, sort, item)
      WHERE s.days = u.days AND s.key = u.key AND s.sort = u.sort AND s.item = u.item
      """,
      StoreValue.array(days),
      StoreValue.array(keys),
      StoreValue.array(sorts),
      StoreValue.array(items)
    )
  }
}

extension ItemFingerprint {
  fileprivate init?(stored bytes: [UInt8]) {
    let made = bytes.withUnsafeBytes { ItemFingerprint(bytes: $0) }
    guard let made else { return nil }
    self = made
  }
}
