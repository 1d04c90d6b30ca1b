import NewsCore
import NewsToolbox

/// Writes items as lines of an export. Times are seconds since 1970, so that all times round-trip.
enum ItemExport {
  /// The item's sort time, exported if it does not follow from the item's dates.
  private static let time = "((i.key >> \(ItemKey.placeBits)) - \(ItemKey.epoch))"
  private static let head = """
    i.id, i.feed, i.sequence, i.first_sequence, i.change, i.is_read, i.is_starred, i.cluster, i.published,
      i.updated, i.stored, i.language, i.guid, i.url, i.title,
      CASE WHEN i.published IS NULL AND \(time) < i.stored THEN \(time) END
    """

  /// Returns the item without its texts.
  static func headLine(_ key: ItemKey, _ connection: Connection) throws(StoreError) -> JSONValue? {
    let row = try connection.prepare("SELECT \(head) FROM items AS i WHERE i.key = ?")
    try row.bind(1, key.rawValue)
    guard try row.step() else { return nil }
    let members = members(row, of: names.dropLast())
    return .object(members + [.init(name: "text", value: .string(""))])
  }

  private static func members(_ row: borrowing Statement, of names: ArraySlice<String>) -> [JSONValue.Member]
  {
    var members: [JSONValue.Member] = [.init(name: "type", value: .string("item"))]
    for (place, name) in names.enumerated() where !row.isNull(Int32(place)) {
      let index = Int32(place)
      members.append(
        .init(
          name: name,
          value: row.isInteger(index) ? .integer(row.int64(index)) : .string(row.string(index))
        )
      )
    }
    return members
  }

  /// Returns the items with ids after `after`, with their versions, in the order of ids. `last` is the last id read, or
  /// nil at the end.
  static func page(
    after: Int64,
    through highest: Int64,
    limit: Int,
    _ connection: Connection
  ) throws(StoreError) -> (lines: [JSONValue], last: Int64?) {
    let items = try connection.prepare(
      "SELECT key, id FROM items WHERE id > ? AND id <= ? ORDER BY id LIMIT ?"
    )
    try items.bind(1, after)
    try items.bind(2, highest)
    try items.bind(3, limit)
    var lines: [JSONValue] = []
    var last: Int64?
    var count = 0
    while try items.step() {
      count += 1
      if count == limit { last = items.int64(1) }
      guard let line = try line(ItemKey(rawValue: items.int64(0)), connection) else { continue }
      lines.append(try withVersions(line, connection))
    }
    return (lines, last)
  }

  /// Returns the item without its versions.
  static func line(_ key: ItemKey, _ connection: Connection) throws(StoreError) -> JSONValue? {
    let row = try connection.prepare(
      """
      SELECT \(head), c.summary, c.details, c.text, c.html
      FROM items AS i JOIN contents AS c ON c.id = i.id WHERE i.key = ?
      """
    )
    try row.bind(1, key.rawValue)
    guard try row.step() else { return nil }
    var members = members(row, of: names[...])
    if let details = row.optionalString(17).flatMap({ JSONValue(valid: $0) }) {
      members.append(.init(name: "details", value: details))
    }
    members.append(.init(name: "text", value: .string(row.string(18))))
    if let html = row.optionalString(19) { members.append(.init(name: "html", value: .string(html))) }
    if let article = try ExportedArticle(of: row.int64(0), connection) {
      members.append(.init(name: "article", value: article.json))
    }
    if let labels = try ItemLabels.exported(of: row.int64(0), connection) { members.append(labels) }
    return .object(members)
  }

  /// Adds the item's versions to its line.
  static func withVersions(_ line: JSONValue, _ connection: Connection) throws(StoreError) -> JSONValue {
    guard let id = line["id"]?.integer, let text = line["text"]?.string else { return line }
    let versions = try ItemVersions.all(of: NewsItem.ID(rawValue: id), text: text, connection)
    guard !versions.isEmpty else { return line }
    let member = JSONValue.Member(name: "versions", value: .array(versions.map(json)))
    return .object((line.members ?? []) + [member])
  }

  /// Member names of the columns before `details`, in the order of the statement.
  private static let names = [
    "id", "feed", "sequence", "first_sequence", "change", "read", "starred", "cluster", "published",
    "updated",
    "stored", "language", "guid", "url", "title", "sorted", "summary",
  ]

  private static func json(_ version: ItemVersion) -> JSONValue {
    .object([
      .init(name: "number", value: .integer(Int64(version.number))),
      .init(name: "replaced", value: .integer(version.replaced.seconds)),
      .init(name: "title", value: .string(version.title)),
      .init(name: "text", value: .string(version.text)),
    ])
  }
}

/// An item decoded from a line of an export.
struct ExportedItem {
  var item: StoredItem
  var versions: [ItemVersion]
  /// Its page; the item's text is then the article, where that was fetched.
  var article: ExportedArticle?
  /// The user's labels.
  var labels: [String] = []
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

  /// Throws `badQuery` if a member is missing, unknown, duplicate or of the wrong type.
  init(_ value: JSONValue) throws(StoreError) {
    var seen: Set<String> = []
    for member in value.members ?? [] where member.name != "type" {
      guard seen.insert(member.name).inserted else { throw Self.error("\"\(member.name)\" is given twice") }
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
      if let problem { throw Self.error("\"\(member.name)\" \(problem)") }
    }
    if let missing = Self.required.first(where: { !seen.contains($0) }) {
      throw Self.error("\"\(missing)\" is missing")
    }
    for name in ["read", "starred"] {
      guard let flag = value[name]?.integer else { continue }
      guard flag == 0 || flag == 1 else { throw Self.error("\"\(name)\" is neither 0 nor 1") }
    }
    guard ChangeKind(rawValue: value["change"]?.integer ?? 0) != nil else {
      throw Self.error("\"change\" is out of range")
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
    if let value = value["article"] {
      guard let read = ExportedArticle(value) else { throw Self.error("\"article\" cannot be read") }
      article = read
    }
    labels = value["labels"]?.array?.compactMap(\.string).filter { !$0.isEmpty } ?? []
    versions = []
    for value in value["versions"]?.array ?? [] {
      let version = try Self.version(value)
      guard version.number > versions.last?.number ?? 0 else { throw Self.error("versions are not in order") }
      versions.append(version)
    }
  }

  private static func version(_ value: JSONValue) throws(StoreError) -> ItemVersion {
    guard let number = value["number"]?.integer, let replaced = value["replaced"]?.integer,
      let title = value["title"]?.string, let text = value["text"]?.string,
      ExportColumn.numbers.contains(number), ExportColumn.numbers.contains(replaced)
    else { throw error("a version without number, replaced, title or text") }
    return ItemVersion(
      number: Int(number),
      replaced: Timestamp(seconds: replaced),
      title: title,
      text: text
    )
  }

  private static func error(_ message: String) -> StoreError {
    StoreError(code: .badQuery, message: "an item that cannot be read: \(message)")
  }

  /// Sanitises the HTML and the URLs of an untrusted item. Throws if a URL contains control characters.
  mutating func clean(_ cleaner: any ItemCleaning) throws(StoreError) {
    let details = item.details
    let addresses =
      [item.url, item.language, details.image, details.commentsURL]
      + details.authors.flatMap { [$0.url, $0.email] }
      + details.enclosures.flatMap { [$0.url, $0.mimeType] }
    guard !addresses.contains(where: { $0?.hasControlCharacters == true }) else {
      throw Self.error("an address holds control characters")
    }
    var parsed = ParsedItem()
    parsed.url = item.url
    parsed.contentHTML = item.html
    parsed.contentText = item.text
    parsed.authors = details.authors
    parsed.enclosures = details.enclosures
    parsed.image = details.image
    parsed.commentsURL = details.commentsURL
    parsed = cleaner.cleaned(parsed, base: nil)
    item.url = parsed.url
    item.html = parsed.contentHTML
    if let html = article?.feedHTML {
      var own = ParsedItem()
      own.contentHTML = html
      own.contentText = article?.feedText
      article?.feedHTML = cleaner.cleaned(own, base: nil).contentHTML
    }
    item.details.authors = parsed.authors
    item.details.enclosures = parsed.enclosures
    item.details.image = parsed.image
    item.details.commentsURL = parsed.commentsURL
  }

  func integer(_ name: String) -> Int64 { value[name]?.integer ?? 0 }
  /// The item as the feed has it.
  var feedItem: StoredItem {
    guard let article, let text = article.feedText else { return item }
    return item.withArticle(text: text, html: article.feedHTML)
  }

  var cluster: Int64? { value["cluster"]?.integer }
  var stored: Timestamp { Timestamp(seconds: integer("stored")) }
  /// The time by which the item sorts.
  var sortTime: Timestamp {
    guard item.published == nil, let sorted = value["sorted"]?.integer else {
      return item.sortTime(stored: stored)
    }
    return min(Timestamp(seconds: sorted), stored)
  }
}
