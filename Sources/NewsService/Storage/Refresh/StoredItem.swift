import NewsService

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
  /// Made beforehand; nil: when it is asked for.
  private var madeFingerprint: ItemFingerprint?

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
    var feedDetails = details
    feedDetails.ownTags = []
    var hash = StableHash()
    if policy != .content { hash.add(url) }
    hash.add(title)
    hash.add(published.map { UInt64(bitPattern: $0.seconds) } ?? 1 << 63)
    hash.add(updated.map { UInt64(bitPattern: $0.seconds) } ?? 1 << 63)
    hash.add(language)
    hash.add(summary)
    hash.add(feedDetails.text)
    hash.add(text)
    hash.add(html)
    return hash.value
  }

  /// What is indexed of the authors.
  static func authorText(_ authors: [Author]) -> String {
    authors.map(\.displayName).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  var fingerprint: ItemFingerprint {
    madeFingerprint ?? ItemFingerprint(title: title, text: text, url: url)
  }

  /// The same with what only depends on its texts.
  var prepared: StoredItem {
    var item = self
    item.madeFingerprint = fingerprint
    return item
  }

  /// The time lists sort by, if the item was stored at `stored`: `NewsItem.sortTime`.
  func sortTime(stored: Timestamp) -> Timestamp {
    published.map { min($0, stored) } ?? stored
  }
}
