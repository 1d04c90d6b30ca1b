package import NewsCore
package import NewsSearch
import NewsToolbox

/// An item in the form in which it is stored, made from a parsed item.
package struct StoredItem {
  package var guid: String?
  package var url: String?
  package var title: String
  package var published: Timestamp?
  package var updated: Timestamp?
  package var language: String?
  package var author: String
  package var summary: String?
  package var details: ItemDetails
  package var text: String
  package var html: String?
  /// Derived data that was computed in advance; nil if it is computed on demand.
  private var cachedPreparation: ItemPreparation?

  package init(_ parsed: ParsedItem, feedLanguage: String?) {
    guid = parsed.id.flatMap { $0.isEmpty ? nil : $0 }
    url = parsed.url ?? parsed.externalURL
    title = parsed.title ?? ""
    published = parsed.published ?? parsed.created ?? parsed.updated
    updated = parsed.updated
    language = parsed.language ?? feedLanguage
    author = Self.authorText(parsed.authors)
    summary = parsed.summary
    text = parsed.contentText ?? parsed.summary ?? ""
    html = parsed.contentHTML ?? (parsed.contentText == nil ? parsed.summaryHTML : nil)
    details = ItemDetails()
    details.authors = parsed.authors
    details.tags = parsed.tags.map(\.text).filter { !$0.isEmpty }
    details.enclosures = parsed.enclosures
    details.image = parsed.image
    details.media = ItemMedia(parsed)
    details.commentsURL = parsed.commentsURL
    normalize()
  }

  /// The bytes of a guid, a link or a title at most. Lists have those of many items in memory.
  fileprivate static let longestName = 64 << 10

  /// Replaces U+0000 by U+FFFD, and cuts long names and tags. Some stores cannot keep them, and identities must not depend on
  /// the store. Long links are left out: a part of one leads elsewhere. Cuts or leaves out other values that are longer than those
  /// of documents, because no account takes them.
  package mutating func normalize() {
    guid = guid.map { GivenName.cut($0.withoutNUL, to: Self.longestName) }
    url = url.map(\.withoutNUL).flatMap { $0.utf8.count > Self.longestName ? nil : $0 }
    title = GivenName.cut(title.withoutNUL, to: Self.longestName)
    language = (language?.withoutNUL).flatMap { $0.utf8.count <= Self.longestLanguage ? $0 : nil }
    author = Self.cut(author.withoutNUL)
    summary = (summary?.withoutNUL).map { Self.cut($0) }
    text = Self.cut(text.withoutNUL)
    html = (html?.withoutNUL).flatMap { Self.whole($0) }
    details.tags = TagLimit.cut(details.tags.map(\.withoutNUL))
    details.ruleTags = TagLimit.cut(details.ruleTags)
    details.shorten()
  }

  /// In bytes. No tag of BCP 47 in use is longer.
  private static let longestLanguage = 64

  /// Cuts a text of an item that is longer than newsd stores it.
  package static func cut(_ text: String) -> String {
    // A version of the text has two lengths, too.
    GivenName.cut(text, to: ItemDetails.longestField - 32)
  }

  /// Returns nil for HTML or an address that is longer than newsd stores it: a part of it would mean something else.
  package static func whole(_ text: String) -> String? {
    text.utf8.count <= ItemDetails.longestField ? text : nil
  }

  /// Returns a hash that changes with everything that a reader can see. Guid and link may differ at every fetch, so the
  /// hash excludes the guid, and under the content policy the link. It also excludes data added by the store, and what
  /// older versions did not keep (media, frames, MathML), because adding that must not count as an edit.
  package func revision(under policy: IdentityPolicy) -> Int64 {
    if policy != .content, let cachedPreparation { return cachedPreparation.revision }
    var hash = StableHash()
    if policy != .content { hash.add(url) }
    hash.add(title)
    hash.add(published.map { UInt64(bitPattern: $0.seconds) } ?? 1 << 63)
    hash.add(updated.map { UInt64(bitPattern: $0.seconds) } ?? 1 << 63)
    hash.add(language)
    hash.add(summary)
    hash.add(details.revisionText)
    hash.add(text)
    hash.add(html.map(KeptMarkup.removed))
    return hash.value
  }

  /// Joins the authors to the text that is indexed.
  package static func authorText(_ authors: [Author]) -> String {
    authors.map(\.displayName).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Returns the item with an article instead of the feed's text. Data derived from the text is computed again.
  package func withArticle(text: String, html: String?) -> StoredItem {
    var item = self
    item.text = text
    item.html = html
    item.cachedPreparation = nil
    return item
  }

  package var preparation: ItemPreparation { cachedPreparation ?? ItemPreparation(of: self) }

  /// Returns the item with its derived data computed. After this, only the tags from rules may change.
  package var prepared: StoredItem {
    var item = self
    item.cachedPreparation = preparation
    return item
  }

  /// The value of the `details` column.
  package var detailsText: String? {
    if let cachedPreparation, details.ruleTags.isEmpty { cachedPreparation.detailsText } else { details.text }
  }

  /// Returns the time by which lists sort the item if it was stored at `stored`; equals `NewsItem.sortTime`.
  package func sortTime(stored: Timestamp) -> Timestamp {
    published.map { min($0, stored) } ?? stored
  }
}

/// Data derived from an item. It is computed outside the store's writer, because this takes most of the time.
package struct ItemPreparation {
  package var tokens: ItemTokens
  package var fingerprint: ItemFingerprint
  /// The `details` column without the tags from rules.
  package var detailsText: String?
  /// The item's revision under every policy but `.content`.
  fileprivate var revision: Int64

  fileprivate init(of item: StoredItem) {
    tokens = ItemTokens(title: item.title, author: item.author, text: item.text)
    fingerprint = ItemFingerprint(title: tokens.title, text: tokens.text, url: item.url)
    detailsText = item.details.feedText
    revision = item.revision(under: .guid)
  }
}

extension [StoredItem] {
  /// Returns the sort time of undated items in a feed's first document: one second before the oldest dated item for
  /// every 64 undated items. Returns nil if no item has a date; the items then sort by the time they were stored.
  package func timeOfUndated(stored: Timestamp) -> Timestamp? {
    let dates = compactMap { item in item.published.map { Swift.min($0, stored) } }
    guard let oldest = dates.min() else { return nil }
    let itemsPerSecond = 64
    return oldest - Int64(1 + (count - dates.count) / itemsPerSecond)
  }

  /// Makes the URL of an item's enclosure its guid, if several items without guids share a link, or share title and
  /// text without links. Otherwise, all but one of these items would be lost.
  package func usingEnclosuresAsGuids() -> [StoredItem] {
    func isNameless(_ item: StoredItem) -> Bool { item.guid == nil && !item.details.enclosures.isEmpty }
    guard count > 1, contains(where: isNameless) else { return self }
    var named: [Int64: Int] = [:]
    for item in self where isNameless(item) { named[IdentityPolicy.guid.identity(of: item), default: 0] += 1 }
    return map { item in
      guard isNameless(item), named[IdentityPolicy.guid.identity(of: item), default: 0] > 1 else {
        return item
      }
      var item = item
      item.guid = item.details.enclosures.first.map { GivenName.cut($0.url, to: StoredItem.longestName) }
      return item
    }
  }
}

/// The tokens of an item's indexed fields.
package struct ItemTokens {
  package var title: TokenStream
  package var author: TokenStream
  package var text: TokenStream

  package init(title: String, author: String, text: String) {
    self.title = TokenStream(title)
    self.author = TokenStream(author)
    self.text = TokenStream(text)
  }
}

extension IdentityPolicy {
  package func identity(of item: StoredItem) -> Int64 {
    identity(guid: item.guid, url: item.url, title: item.title, text: item.text)
  }
}

/// The hashes that identify a stored item and detect changes to it.
package struct ItemHashes {
  package var identity: Int64
  package var revision: Int64

  package init(of item: StoredItem, under policy: IdentityPolicy) {
    identity = policy.identity(of: item)
    revision = item.revision(under: policy)
  }
}

/// The state of a new item.
package struct InitialState {
  package var isRead = false
  package var isStarred = false
  /// The labels that rules give.
  package var labels: [String] = []
}
