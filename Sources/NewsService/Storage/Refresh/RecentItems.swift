import NewsCore

/// The newest stored items of a feed. Used to check whether items with unknown identities are really new.
struct RecentItems {
  private struct Entry {
    var id: Int64
    var title: String
  }

  private let connection: Connection
  private var byURL: [String: Entry] = [:]
  private var titles: Set<String> = []
  private var keys: [ItemKey] = []
  /// Links of dropped or removed items, whose content is no longer available for comparison.
  private var gone: Set<String> = []

  /// The limit keeps this cheap: in many feeds, every document has only new items.
  init(_ feed: Feed.ID, limit: Int, _ connection: Connection) throws(StoreError) {
    self.connection = connection
    let history = try connection.prepare(
      "SELECT key, url, title, id FROM items WHERE feed = ? ORDER BY key DESC LIMIT ?"
    )
    try history.bind(1, feed.rawValue)
    try history.bind(2, limit)
    while try history.step() {
      let entry = Entry(id: history.int64(3), title: history.string(2))
      if let url = history.optionalString(1), byURL[url] == nil { byURL[url] = entry }
      titles.insert(entry.title)
      keys.append(ItemKey(rawValue: history.int64(0)))
    }
    let tombstones = try connection.prepare(
      "SELECT url FROM tombstones WHERE feed = ? AND url IS NOT NULL ORDER BY sequence DESC LIMIT ?"
    )
    try tombstones.bind(1, feed.rawValue)
    try tombstones.bind(2, limit)
    while try tombstones.step() { gone.insert(tombstones.string(0)) }
  }

  /// Returns true if most items of a document have the link, the title and nearly the text of a stored item. The link
  /// alone is not enough: horoscopes, weather and shows have one page each with new content every day.
  func matchesByLink(_ items: [StoredItem]) throws(StoreError) -> Bool {
    let items = items.filter { !isGone($0) }
    let former = items.compactMap { item in item.url.flatMap { byURL[$0] }.map { (item, $0) } }
    guard isMost(former.count, of: items), Set(former.map { $0.0.url }).count == former.count else {
      return false
    }
    var same = 0
    for (item, entry) in former where item.title == entry.title {
      if try TextDelta.isSmall(between: item.text, and: text(of: entry.id)) { same += 1 }
    }
    return isMost(same, of: items)
  }

  /// Returns true if the title and text of most items are stored, but none of their links is. Titles alone are not
  /// enough: "Comment by …" and "Weather today" recur.
  func matchesByContent(_ items: [StoredItem]) throws(StoreError) -> Bool {
    guard items.count >= 3, !items.contains(where: { $0.url.map { byURL[$0] != nil } ?? false }),
      isMost(items.count { !$0.title.isEmpty && titles.contains($0.title) }, of: items)
    else { return false }
    var known: Set<Int64> = []
    let row = try connection.prepare(
      "SELECT i.title, \(ItemArticles.feedText) FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.key = ?"
    )
    for key in keys {
      try row.bind(1, key.rawValue)
      if try row.step() {
        known.insert(
          IdentityPolicy.content.identity(guid: nil, url: nil, title: row.string(0), text: row.string(1))
        )
      }
      row.reset()
    }
    let found = Set(items.map(IdentityPolicy.content.identity(of:))).intersection(known)
    return isMost(found.count, of: items)
  }

  private func isGone(_ item: StoredItem) -> Bool { item.url.map(gone.contains) ?? false }

  private func isMost(_ count: Int, of items: [StoredItem]) -> Bool {
    count > 0 && count * 10 >= items.count * 6
  }

  private func text(of id: Int64) throws(StoreError) -> String {
    let row = try connection.prepare("SELECT \(ItemArticles.feedText) FROM contents AS c WHERE c.id = ?")
    try row.bind(1, id)
    return try row.step() ? row.string(0) : ""
  }
}
