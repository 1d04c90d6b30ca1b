package import NewsCore
package import NewsToolbox

/// An item decoded from a line of an export.
package struct ExportedItem {
  package var item: StoredItem
  private var versions: [ExportedVersion]
  /// The state of the item's article. If the article was fetched, the item's text is that of the article.
  package var article: ExportedArticle?
  /// The user's labels.
  package var labels: [String] = []
  private let value: JSONValue

  private static let columns: [ExportColumn] = [
    .init(name: "id", kind: .number), .init(name: "feed", kind: .number),
    .init(name: "sequence", kind: .number),
    .init(name: "first_sequence", kind: .number), .init(name: "change", kind: .number),
    .init(name: "read", kind: .number), .init(name: "starred", kind: .number),
    .init(name: "cluster", kind: .number), .init(name: "published", kind: .number),
    .init(name: "updated", kind: .number), .init(name: "stored", kind: .number),
    .init(name: "sorted", kind: .number),
    .init(name: "language", kind: .text), .init(name: "guid", kind: .text), .init(name: "url", kind: .text),
    .init(name: "title", kind: .text), .init(name: "summary", kind: .text), .init(name: "text", kind: .text),
    .init(name: "html", kind: .text),
  ]
  private static let required = ["id", "feed", "sequence", "stored", "title", "text"]

  /// Decodes a line. Throws `badQuery` if a member is missing, unknown, duplicate or of the wrong type.
  package init(_ value: JSONValue) throws(StoreError) {
    var seen: Set<String> = []
    for member in value.members ?? [] where member.name != "type" {
      guard seen.insert(member.name).inserted else { throw Self.error("'\(member.name)' is given twice") }
      let problem: String? =
        switch (member.name, member.value) {
        case ("details", .object), ("article", .object), ("versions", .array), ("labels", .array): nil
        case ("details", _), ("article", _): "is not an object"
        case ("versions", _), ("labels", _): "is not an array"
        default:
          if let column = Self.columns.first(where: { $0.name == member.name }) {
            column.validationError(for: member.value, isTrusted: true)
          } else {
            "is unknown"
          }
        }
      if let problem { throw Self.error("'\(member.name)' \(problem)") }
    }
    if let missing = Self.required.first(where: { !seen.contains($0) }) {
      throw Self.error("'\(missing)' is missing")
    }
    for name in ["read", "starred"] {
      guard let flag = value[name]?.integer else { continue }
      guard flag == 0 || flag == 1 else { throw Self.error("'\(name)' is neither 0 nor 1") }
    }
    guard ChangeKind(rawValue: value["change"]?.integer ?? 0) != nil else {
      throw Self.error("'change' is out of range")
    }
    self.value = value
    let title = value["title"]?.string ?? ""
    let text = value["text"]?.string ?? ""
    var parsed = ParsedItem()
    parsed.title = title
    parsed.contentText = text
    item = StoredItem(parsed, feedLanguage: nil)
    item.guid = value["guid"]?.string
    item.url = value["url"]?.string
    item.published = value["published"]?.integer.map(Timestamp.init(seconds:))
    item.updated = value["updated"]?.integer.map(Timestamp.init(seconds:))
    item.language = value["language"]?.string
    item.summary = value["summary"]?.string
    item.html = value["html"]?.string
    item.details = ItemDetails(value["details"]?.serialized)
    item.author = StoredItem.authorText(item.details.authors)
    item.normalize()
    if let value = value["article"] {
      guard let read = ExportedArticle(value) else { throw Self.error("'article' cannot be read") }
      article = read
    }
    labels = value["labels"]?.array?.compactMap(\.string).compactMap(ItemLabel.cleaned) ?? []
    versions = []
    for value in value["versions"]?.array ?? [] {
      let version = try Self.version(value)
      guard version.number > versions.last?.number ?? 0 else { throw Self.error("versions are not in order") }
      versions.append(version)
    }
  }

  private static func version(_ value: JSONValue) throws(StoreError) -> ExportedVersion {
    guard let number = value["number"]?.integer, let replaced = value["replaced"]?.integer,
      let title = value["title"]?.string, let text = text(ofVersion: value),
      ExportColumn.numbers.contains(number), ExportColumn.numbers.contains(replaced)
    else { throw error("a version lacks a valid number, replaced, title or text") }
    return ExportedVersion(
      number: number,
      replaced: Timestamp(seconds: replaced),
      title: StoredItem.cut(title),
      text: text
    )
  }

  private static func text(ofVersion value: JSONValue) -> ExportedVersion.Text? {
    if let text = value["text"]?.string { return .whole(text) }
    guard let prefix = value["prefix"]?.integer, let suffix = value["suffix"]?.integer,
      let change = value["change"]?.string
    else { return nil }
    return TextDelta(prefix: prefix, suffix: suffix, between: change).map(ExportedVersion.Text.change)
  }

  private static func error(_ message: String) -> StoreError {
    StoreError(code: .badQuery, message: "the item cannot be read: \(message)")
  }

  /// Sanitizes the HTML and the URLs of an untrusted item. Throws if a URL contains control characters.
  package mutating func clean(_ cleaner: any ItemCleaning) throws(StoreError) {
    let details = item.details
    let addresses: [String?] =
      [item.url, item.language, details.image, details.commentsURL]
      + details.authors.flatMap { [$0.url, $0.email] }
      + details.enclosures.flatMap { [$0.url, $0.mimeType] }
      + (details.media?.addresses ?? [])
    guard !addresses.contains(where: { $0?.hasControlCharacters == true }) else {
      throw Self.error("an address contains control characters")
    }
    var parsed = ParsedItem()
    parsed.url = item.url
    parsed.contentHTML = item.html
    parsed.contentText = item.text
    parsed.authors = details.authors
    parsed.enclosures = details.enclosures
    parsed.image = details.image
    parsed.commentsURL = details.commentsURL
    parsed.extensions = details.media?.extensions
    parsed.itunesDuration = details.media?.duration
    parsed = cleaner.cleaned(parsed, base: nil)
    item.url = parsed.url
    item.html = parsed.contentHTML
    if let html = article?.feedHTML {
      var own = ParsedItem()
      own.contentHTML = html
      own.contentText = article?.feedText
      article?.feedHTML = cleaner.cleaned(own, base: nil).contentHTML.flatMap { StoredItem.whole($0) }
    }
    item.details.authors = parsed.authors
    item.details.enclosures = parsed.enclosures
    item.details.image = parsed.image
    item.details.commentsURL = parsed.commentsURL
    if details.media != nil { item.details.media = ItemMedia(parsed) }
    // Links may have become longer.
    item.normalize()
  }

  /// The bytes of the item's texts, with those of its versions.
  package var textBytes: Int { value.textBytes }

  package func integer(_ name: String) -> Int64 { value[name]?.integer ?? 0 }
  /// The item with the feed's own text.
  package var feedItem: StoredItem {
    guard let article, let text = article.feedText else { return item }
    return item.withArticle(text: text, html: article.feedHTML)
  }

  package var story: Int64? { value["cluster"]?.integer }
  package var stored: Timestamp { Timestamp(seconds: integer("stored")) }
  /// The time by which lists sort the item.
  package var sortTime: Timestamp {
    guard item.published == nil, let sorted = value["sorted"]?.integer else {
      return item.sortTime(stored: stored)
    }
    return min(Timestamp(seconds: sorted), stored)
  }

  /// Passes the newest versions to `store` in the form in which they are stored: each as a delta from the next one. Throws
  /// `badQuery` if a change does not fit the next version.
  package func forEachVersion(
    _ store: (_ version: ExportedVersion, _ delta: TextDelta) throws(StoreError) -> Void
  ) throws(StoreError) {
    // The text of the item as it was exported: normalizing may have changed it.
    var next = value["text"]?.string ?? ""
    var stored = item.text
    for version in versions.suffix(ItemVersion.most).reversed() {
      switch version.text {
      case .whole(let text): next = text
      case .change(let delta):
        guard let text = delta.applied(to: next) else {
          throw Self.error("a version does not fit the next one")
        }
        next = text
      }
      let text = StoredItem.cut(next)
      try store(version, TextDelta(from: stored, to: text))
      stored = text
    }
  }
}

/// An earlier text of an item in an export.
package struct ExportedVersion {
  package var number: Int64
  package var replaced: Timestamp
  package var title: String
  fileprivate var text: Text

  fileprivate enum Text {
    case whole(String)
    /// What turns the text of the next version into this one.
    case change(TextDelta)
  }
}
