import NewsCore
import NewsToolbox

/// Matches an item with an unknown guid to the stored item of which it is a new revision. Both items have the same
/// link. The guid changed from `…/article#0` to `…/article#1`, or it is derived from the title or text, which changed.
package struct ItemRevisions {
  private let feed: Feed.ID
  /// The recently stored item of each link; nil for a link shared by several items.
  private var stored: [String: KnownItem?] = [:]
  /// Links that only one item of the document has.
  private let named: Set<String>
  /// Identities of the document's items. A stored item with one of them is still in the document, so it is not an
  /// earlier revision.
  private let documentIdentities: Set<Int64>

  /// Returns the number of a feed's newest items that are compared with a document.
  package static func examined(_ documentCount: Int) -> Int { min(documentCount * 2 + 10, 500) }

  /// Reads about twice as many stored items as the document has.
  init(
    of feed: Feed.ID,
    before items: [StoredItem],
    in session: some ItemSession
  ) throws(StoreError) {
    self.feed = feed
    var links: [String: Int] = [:]
    for item in items { if let url = item.url { links[url, default: 0] += 1 } }
    named = Set(links.filter { $0.value == 1 }.keys)
    documentIdentities = Set(items.map(IdentityPolicy.guid.identity(of:)))
    for item in try session.newest(of: feed, limit: Self.examined(items.count)) {
      guard item.guid != nil, let url = item.url else { continue }
      stored.updateValue(stored[url] == nil ? item : nil, forKey: url)
    }
  }

  /// Finds the stored revision of an item and gives it the item's guid. Returns false if there is no stored revision.
  func rename(to item: StoredItem, in session: inout some ItemSession) throws(StoreError) -> Bool {
    guard let url = item.url, let guid = item.guid, guid != url, named.contains(url),
      let former = stored[url] ?? nil, !documentIdentities.contains(former.identity),
      try isRevision(item, of: former, session)
    else { return false }
    let identity = IdentityPolicy.guid.identity(of: item)
    try session.rename(former, guid: guid, url: former.url, identity: identity)
    return true
  }

  /// Returns true if the item is a new revision of the stored one. Also compares dates and texts: episodes of shows,
  /// weather reports and comments on a page share links too, but are distinct items.
  private func isRevision(
    _ item: StoredItem,
    of former: KnownItem,
    _ session: some ItemSession
  ) throws(StoreError) -> Bool {
    let isNumbered = Self.page(item.guid).map { $0 == Self.page(former.guid) } ?? false
    let isOfOneDate = item.published == former.published
    if isNumbered, isOfOneDate, item.published != nil { return true }
    guard isNumbered || isOfOneDate else { return false }
    guard let text = try session.feedText(of: former.id) else { return false }
    let hasSameTitle = try session.title(of: former, in: feed) == item.title
    if hasSameTitle, !isNumbered, item.published != nil { return true }
    if text.isEmpty, item.text.isEmpty { return hasSameTitle }
    return TextDelta.isSmall(between: item.text, and: text)
  }

  /// Returns the part of a guid before `#` and a number; nil for other guids.
  private static func page(_ guid: String?) -> String? {
    guard let guid, let mark = guid.utf8.lastIndex(of: UInt8(ascii: "#")), mark > guid.startIndex else {
      return nil
    }
    let number = guid.utf8[guid.utf8.index(after: mark)...]
    guard (1...6).contains(number.count), number.allSatisfy({ ASCII.isDigit($0) }) else { return nil }
    return String(guid[..<mark])
  }
}
