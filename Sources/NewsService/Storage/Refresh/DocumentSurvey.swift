import NewsCore

/// Compares a document with the stored items to detect reused guids and links.
struct DocumentSurvey {
  /// Items whose identity under the current policy is already stored.
  private(set) var known = 0
  /// Known items that now have another link, title and text.
  private(set) var changedEverything = 0
  /// Known items that have the same link, but another title, text and date.
  private(set) var changedAtSameLink = 0
  private let count: Int

  /// Examines items until reuse is ruled out; in nearly every document, the first known item suffices.
  init(
    _ items: [StoredItem],
    of feed: Feed.ID,
    under policy: IdentityPolicy,
    _ connection: Connection
  ) throws(StoreError) {
    count = items.count
    let row = try connection.prepare(
      """
      SELECT i.url, i.title, i.published, \(ItemArticles.feedText)
      FROM items AS i JOIN contents AS c ON c.id = i.id
      WHERE i.feed = ? AND i.identity = ?
      """
    )
    for item in items {
      try row.bind(1, feed.rawValue)
      try row.bind(2, policy.identity(of: item))
      if try row.step() { compare(item, row) }
      row.reset()
      guard changedEverything * 10 >= known * 6 || changedAtSameLink == known else { return }
    }
  }

  private mutating func compare(_ item: StoredItem, _ row: borrowing Statement) {
    known += 1
    guard item.title != row.string(1) || item.title.isEmpty else { return }
    let isSameLink = Self.isSame(item.url, row.optionalString(0))
    if isSameLink, item.published == nil || row.isNull(2) || item.published == row.time(2) { return }
    guard differs(item.text, row.string(3)) else { return }
    if isSameLink { changedAtSameLink += 1 } else { changedEverything += 1 }
  }

  /// Returns true if the texts differ. If both are empty, relies on the number of items instead.
  private func differs(_ text: String, _ former: String) -> Bool {
    if text.isEmpty, former.isEmpty { return count >= 3 }
    return !TextDelta.isSmall(between: text, and: former)
  }

  private static func isSame(_ link: String?, _ former: String?) -> Bool {
    if link == former { return true }
    guard let link, let former else { return false }
    let identities = [link, former].map {
      IdentityPolicy.link.identity(guid: nil, url: $0, title: "", text: "")
    }
    return identities[0] == identities[1]
  }

  /// True if guids are reused: they are positions in the document, restart or never change. Each item would overwrite
  /// another.
  var guidsAreReused: Bool { changedEverything > 0 && changedEverything * 10 >= known * 6 }

  /// True if links are reused: horoscopes, weather and shows without guids have one page each, and each day's item
  /// would overwrite the previous one.
  var linksAreReused: Bool { count >= 3 && changedAtSameLink == count }
}
