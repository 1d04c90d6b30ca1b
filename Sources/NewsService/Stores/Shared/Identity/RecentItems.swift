import NewsCore
import NewsToolbox

/// The newest stored items of a feed, to check whether items with unknown identities are really new.
struct RecentItems {
  private var byURL: [String: KnownItem] = [:]
  private var titles: Set<String> = []
  /// True if there are titles that were not read, because they are long.
  private var lacksTitles = false
  private let feed: Feed.ID
  private let newest: [KnownItem]
  /// Links of dropped or removed items, whose content is no longer available for comparison.
  private var gone: Set<String> = []

  /// Reads the newest items. The limit bounds the cost for feeds in which every document has only new items.
  init(_ feed: Feed.ID, limit: Int, in session: some ItemSession) throws(StoreError) {
    self.feed = feed
    newest = try session.newest(of: feed, limit: limit)
    for item in newest {
      if let url = item.url?.streamSafe, byURL[url] == nil { byURL[url] = item }
      if let title = item.title { titles.insert(title.streamSafe) } else { lacksTitles = true }
    }
    gone = Set(try session.removedLinks(of: feed, limit: limit))
  }

  /// Returns true if most items of a document have the link, the title and nearly the text of a stored item. The link
  /// alone is not enough: horoscopes, weather and shows have one page each with new content every day.
  func matchesByLink(_ items: [StoredItem], in session: some ItemSession) throws(StoreError) -> Bool {
    let items = items.filter { !isGone($0) }
    let former = items.compactMap { item in item.url.flatMap { byURL[$0] }.map { (item, $0) } }
    guard isMost(former.count, of: items), Set(former.map { $0.0.url }).count == former.count else {
      return false
    }
    var same = 0
    for (item, entry) in former where try session.title(of: entry, in: feed) == item.title {
      if try TextDelta.isSmall(between: item.text, and: session.feedText(of: entry.id) ?? "") { same += 1 }
    }
    return isMost(same, of: items)
  }

  /// Returns true if the title and text of most items are stored, but none of their links is. Titles alone are not
  /// enough: "Comment by …" and "Weather today" recur.
  func matchesByContent(_ items: [StoredItem], in session: some ItemSession) throws(StoreError) -> Bool {
    guard items.count >= 3, !items.contains(where: { $0.url.map { byURL[$0] != nil } ?? false }),
      isMost(items.count { !$0.title.isEmpty && mayBeStored($0.title) }, of: items)
    else { return false }
    var known: Set<Int64> = []
    for item in newest {
      guard let text = try session.feedText(of: item.id) else { continue }
      let title = try session.title(of: item, in: feed) ?? ""
      known.insert(IdentityPolicy.content.identity(guid: nil, url: nil, title: title, text: text))
    }
    let found = Set(items.map(IdentityPolicy.content.identity(of:))).intersection(known)
    return isMost(found.count, of: items)
  }

  /// Returns true also for a title as long as those titles that were not read.
  private func mayBeStored(_ title: String) -> Bool {
    titles.contains(title) || lacksTitles && title.utf8.count > KnownItem.longestNames / 2
  }

  private func isGone(_ item: StoredItem) -> Bool { item.url.map(gone.contains) ?? false }

  private func isMost(_ count: Int, of items: [StoredItem]) -> Bool {
    count > 0 && count * 10 >= items.count * 6
  }
}
