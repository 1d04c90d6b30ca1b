import NewsCore

/// What the store keeps of a parsed item: its texts chosen, its hashes made.
struct StoredItem {
  var guid: String?
  var url: String?
  var title: String
  var published: Timestamp?
  var updated: Timestamp?
  var language: String?
  var author: String
  var summary: String?
  var details: ItemDetails
  var text: String
  var html: String?
  /// Made in advance; nil: made when asked for.
  private var made: ItemPreparation?

  init(_ parsed: ParsedItem, feedLanguage: String?) {
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
    details.tags = parsed.tags.map { $0.label ?? $0.term }.filter { !$0.isEmpty }
    details.enclosures = parsed.enclosures
    details.image = parsed.image
    details.commentsURL = parsed.commentsURL
  }

  /// Changes when anything does that a reader may see; what the store made of the item does not count. Nor does what
  /// the policy passes over (the guid, or guid and link): that may be another one at every fetch.
  func revision(under policy: IdentityPolicy) -> Int64 {
    var hash = StableHash()
    if policy != .content { hash.add(url) }
    hash.add(title)
    hash.add(published.map { UInt64(bitPattern: $0.seconds) } ?? 1 << 63)
    hash.add(updated.map { UInt64(bitPattern: $0.seconds) } ?? 1 << 63)
    hash.add(language)
    hash.add(summary)
    hash.add(made?.detailsText ?? details.feedText)
    hash.add(text)
    hash.add(html)
    return hash.value
  }

  /// The authors as indexed text.
  static func authorText(_ authors: [Author]) -> String {
    authors.map(\.displayName).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The same with an article in the place of the feed's text: what was made of that text is made anew.
  func withArticle(text: String, html: String?) -> StoredItem {
    var item = self
    item.text = text
    item.html = html
    item.made = nil
    return item
  }

  var preparation: ItemPreparation { made ?? ItemPreparation(of: self) }

  /// The same with what only depends on what the feed says. Nothing but the reader's tags may be changed afterwards.
  var prepared: StoredItem {
    var item = self
    item.made = preparation
    return item
  }

  /// `details` as they are stored.
  var detailsText: String? {
    if let made, details.ownTags.isEmpty { made.detailsText } else { details.text }
  }

  /// The time lists sort by, if the item was stored at `stored`: `NewsItem.sortTime`.
  func sortTime(stored: Timestamp) -> Timestamp {
    published.map { min($0, stored) } ?? stored
  }
}

/// What is derived from an item before it reaches the store's own thread, because this takes most of the time.
struct ItemPreparation {
  var tokens: ItemTokens
  var fingerprint: ItemFingerprint
  /// Without the reader's tags.
  var detailsText: String?

  fileprivate init(of item: StoredItem) {
    tokens = ItemTokens(title: item.title, author: item.author, text: item.text)
    fingerprint = ItemFingerprint(title: tokens.title, text: tokens.text, url: item.url)
    detailsText = item.details.feedText
  }
}

extension [StoredItem] {
  /// The time that undated items of a feed's first document sort by: before the oldest dated item by as many seconds as
  /// their keys need, 64 items each. Nil when no item has a date; then they sort by when they are stored.
  func timeOfUndated(stored: Timestamp) -> Timestamp? {
    let dates = compactMap { item in item.published.map { Swift.min($0, stored) } }
    guard let oldest = dates.min() else { return nil }
    let itemsPerSecond = 1 << Int(ItemKey.placeBits)
    return oldest - Int64(1 + (count - dates.count) / itemsPerSecond)
  }

  /// Episodes without guids that nothing else tells apart, link, title or text, take the addresses of their recordings
  /// for guids: of eight of one name, seven would be lost.
  func namedByRecordings() -> [StoredItem] {
    func isNameless(_ item: StoredItem) -> Bool { item.guid == nil && !item.details.enclosures.isEmpty }
    guard count > 1, contains(where: isNameless) else { return self }
    var named: [Int64: Int] = [:]
    for item in self where isNameless(item) { named[IdentityPolicy.guid.identity(of: item), default: 0] += 1 }
    return map { item in
      guard isNameless(item), named[IdentityPolicy.guid.identity(of: item), default: 0] > 1 else {
        return item
      }
      var item = item
      item.guid = item.details.enclosures.first?.url
      return item
    }
  }
}

/// A record's items, with their words and fingerprints worked out.
struct PreparedItems: RecordPreparation {
  var items: [StoredItem]
}
