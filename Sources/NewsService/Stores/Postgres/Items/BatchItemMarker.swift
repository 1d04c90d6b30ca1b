package import NewsStoresShared
package import NewsCore

/// Changes item states inside a transaction that has locked the store, and maintains the totals.
///
/// Collects the changes. `finish` reads all items in one round trip, applies the changes in order, and writes the
/// results with one statement for each table.
package struct BatchItemMarker: StateMarker {
  private enum Change {
    /// With `withStory`, marking an item as read also marks the other items of its story.
    case mark(ItemMark, withStory: Bool)
    /// Logs a change of the item's labels, of which these were added.
    case note(added: [String])
  }

  private struct Item {
    var feed: Int64
    var isRead: Bool
    var isStarred: Bool
    var story: Int64?
    /// The item's latest number in the change log from this transaction; nil if the item has not changed.
    var sequence: Int64?

    init(_ row: Row) {
      feed = row.int64(1)
      isRead = row.bool(2)
      isStarred = row.bool(3)
      story = row.optionalInt64(4)
    }
  }

  private let connection: Connection
  private var changes: [(id: Int64, change: Change)] = []
  package private(set) var events: [ItemEvent] = []
  package private(set) var changed: [NewsItem.ID] = []

  init(_ connection: Connection) { self.connection = connection }

  package mutating func mark(_ id: NewsItem.ID, _ mark: ItemMark) {
    changes.append((id.rawValue, .mark(mark, withStory: false)))
  }

  package mutating func markStory(of id: NewsItem.ID, _ mark: ItemMark) {
    changes.append((id.rawValue, .mark(mark, withStory: mark == .read)))
  }

  package mutating func note(_ id: NewsItem.ID, added labels: [String]) {
    changes.append((id.rawValue, .note(added: labels)))
  }

  private static let columns = "SELECT id, feed, is_read, is_starred, cluster FROM items"

  package mutating func finish(checking asked: [NewsItem.ID]) throws(StoreError) -> Set<NewsItem.ID> {
    guard !changes.isEmpty || !asked.isEmpty else { return [] }
    let ids = StoreValue.array(Array(Set(changes.map(\.id) + asked.map(\.rawValue))))
    let answers = try connection.run([
      Statement("SELECT sequence FROM counters WHERE \(StoreCounters.isLast)"),
      Statement("\(Self.columns) WHERE id = ANY($1::bigint[])", ids),
      Statement(
        """
        \(Self.columns) WHERE cluster IN (SELECT cluster FROM items WHERE id = ANY($1::bigint[]))
        ORDER BY sort, id
        """,
        hasStories ? ids : .array([Int64]())
      ),
    ])
    var items = Dictionary(answers[1].map { ($0.int64(0), Item($0)) }) { first, _ in first }
    let known = Set(items.keys)
    var stories: [Int64: [Int64]] = [:]
    for row in answers[2] {
      let item = Item(row)
      items[row.int64(0)] = item
      if let story = item.story { stories[story, default: []].append(row.int64(0)) }
    }
    let former = items
    var sequence = try Counter.sequence.checked(answers[0].first?.int64(0) ?? 0, in: connection.name)
    for (id, change) in changes where items[id] != nil {
      switch change {
      case .note(let labels):
        sequence += 1
        items[id]?.sequence = sequence
        guard !labels.isEmpty else { continue }
        events.append(
          ItemEvent(.labelled, NewsItem.ID(rawValue: id), sequence: sequence, labels: labels)
        )
      case .mark(let mark, let withStory):
        if apply(mark, to: id, &items, &sequence), let event = mark.event {
          events.append(ItemEvent(event, NewsItem.ID(rawValue: id), sequence: sequence))
        }
        guard withStory, let story = items[id]?.story else { continue }
        for other in stories[story] ?? [] where other != id {
          apply(.read, to: other, &items, &sequence)
        }
      }
    }
    changes = []
    try write(items.filter { $0.value.sequence != nil }, former, last: sequence)
    return Set(asked.filter { known.contains($0.rawValue) })
  }

  private var hasStories: Bool {
    changes.contains { if case .mark(_, withStory: true) = $0.change { true } else { false } }
  }

  /// Returns true if the item had another state.
  @discardableResult
  private mutating func apply(
    _ mark: ItemMark,
    to id: Int64,
    _ items: inout [Int64: Item],
    _ sequence: inout Int64
  ) -> Bool {
    guard var item = items[id] else { return false }
    let (wasRead, wasStarred) = (item.isRead, item.isStarred)
    switch mark {
    case .read: item.isRead = true
    case .unread: item.isRead = false
    case .starred: item.isStarred = true
    case .unstarred: item.isStarred = false
    }
    guard item.isRead != wasRead || item.isStarred != wasStarred else { return false }
    sequence += 1
    item.sequence = sequence
    items[id] = item
    changed.append(NewsItem.ID(rawValue: id))
    return true
  }

  private func write(_ changed: [Int64: Item], _ former: [Int64: Item], last: Int64) throws(StoreError) {
    guard !changed.isEmpty else { return }
    let items = changed.sorted { $0.key < $1.key }
    try connection.post(
      """
      UPDATE items AS i SET is_read = u.r, is_starred = u.s, sequence = u.q, change = \(ChangeKind.state.rawValue)
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS u(i, r, s, q) WHERE i.id = u.i
      """,
      StoreValue.array(items.map(\.key)),
      StoreValue.array(items.map { Int64($0.value.isRead ? 1 : 0) }),
      StoreValue.array(items.map { Int64($0.value.isStarred ? 1 : 0) }),
      StoreValue.array(items.map { $0.value.sequence })
    )
    var unread: [Int64: Int64] = [:]
    var starred: Int64 = 0
    for (id, item) in items {
      guard let before = former[id] else { continue }
      unread[item.feed, default: 0] += (item.isRead ? 0 : 1) - (before.isRead ? 0 : 1)
      starred += (item.isStarred ? 1 : 0) - (before.isStarred ? 1 : 0)
    }
    let feeds = unread.filter { $0.value != 0 }.sorted { $0.key < $1.key }
    if !feeds.isEmpty {
      try connection.post(
        """
        UPDATE feeds AS f SET unread = f.unread + u.n FROM unnest($1::bigint[], $2::bigint[]) AS u(f, n) WHERE f.id = u.f
        """,
        StoreValue.array(feeds.map(\.key)),
        StoreValue.array(feeds.map(\.value))
      )
    }
    try connection.post(
      """
      UPDATE counters SET unread = unread + $1::bigint, starred = starred + $2::bigint, sequence = $3::bigint
      WHERE \(StoreCounters.isLast)
      """,
      feeds.reduce(0) { $0 + $1.value },
      starred,
      last
    )
    connection.announced.insert(.log)
  }
}
