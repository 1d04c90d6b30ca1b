import NewsCore
import NewsToolbox

/// Compares a document with the stored items to detect reused guids and links.
struct DocumentSurvey {
  /// Number of items whose identity under the current policy is already stored.
  private(set) var known = 0
  /// Number of known items that now have another link, title and text.
  private(set) var changedEverything = 0
  /// Number of known items that have the same link, but another title, text and date.
  private(set) var changedAtSameLink = 0
  private let count: Int

  /// Examines items until reuse of guids and links is ruled out. In nearly every document, the first known item
  /// suffices.
  init(
    _ items: [StoredItem],
    of feed: Feed.ID,
    under policy: IdentityPolicy,
    in session: some ItemSession
  ) throws(StoreError) {
    count = items.count
    for item in items {
      if let former = try session.known(policy.identity(of: item), in: feed) {
        try compare(item, former, session)
      }
      guard changedEverything * 10 >= known * 6 || changedAtSameLink == known else { return }
    }
  }

  private mutating func compare(
    _ item: StoredItem,
    _ former: KnownItem,
    _ session: some ItemSession
  ) throws(StoreError) {
    known += 1
    guard item.title != former.title?.streamSafe || item.title.isEmpty else { return }
    let isSameLink = Self.isSame(item.url, former.url)
    if isSameLink, item.published == nil || former.published == nil || item.published == former.published {
      return
    }
    guard differs(item.text, try session.feedText(of: former.id) ?? "") else { return }
    if isSameLink { changedAtSameLink += 1 } else { changedEverything += 1 }
  }

  /// Returns true if the texts differ. If both texts are empty, returns true if there are enough items.
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

  /// True if guids are reused: they are positions in the document, restart or never change. New items would replace
  /// stored ones.
  var guidsAreReused: Bool { changedEverything > 0 && changedEverything * 10 >= known * 6 }

  /// True if links are reused. Horoscopes, weather and shows without guids have one page each, and each day's item
  /// would replace the previous one.
  var linksAreReused: Bool { count >= 3 && changedAtSameLink == count }
}
