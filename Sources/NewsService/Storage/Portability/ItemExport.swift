import NewsCore

/// An item as one line of an export. Times are seconds since 1970, so that any time comes back as it was.
enum ItemExport {
  private static let head = """
    i.id, i.feed, i.sequence, i.first_sequence, i.change, i.is_read, i.is_starred, i.cluster, i.published,
      i.updated, i.stored, i.language, i.guid, i.url, i.title
    """

  /// What is known of an item without its texts.
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

  /// The item without its earlier texts. These go by ids, in stores of the fifth layout and earlier ones by keys.
  static func line(
    _ key: ItemKey,
    textsBy name: String = "id",
    _ connection: Connection
  ) throws(StoreError) -> JSONValue? {
    let row = try connection.prepare(
      """
      SELECT \(head), c.summary, c.details, c.text, c.html
      FROM items AS i JOIN contents AS c ON c.\(name) = i.\(name) WHERE i.key = ?
      """
    )
    try row.bind(1, key.rawValue)
    guard try row.step() else { return nil }
    var members = members(row, of: names[...])
    if let details = row.optionalString(16).flatMap({ JSONValue($0) }) {
      members.append(.init(name: "details", value: details))
    }
    members.append(.init(name: "text", value: .string(row.string(17))))
    if let html = row.optionalString(18) { members.append(.init(name: "html", value: .string(html))) }
    return .object(members)
  }

  /// The item with its earlier texts, given without them.
  static func withVersions(_ line: JSONValue, _ connection: Connection) throws(StoreError) -> JSONValue {
    guard let id = line["id"]?.integer, let text = line["text"]?.string else { return line }
    let versions = try ItemVersions.all(of: NewsItem.ID(rawValue: id), text: text, connection)
    guard !versions.isEmpty else { return line }
    let member = JSONValue.Member(name: "versions", value: .array(versions.map(json)))
    return .object((line.members ?? []) + [member])
  }

  /// The columns before `details`, in the order of the statement.
  private static let names = [
    "id", "feed", "sequence", "first_sequence", "change", "read", "starred", "cluster", "published",
    "updated",
    "stored", "language", "guid", "url", "title", "summary",
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

/// An item of an export, read.
struct ExportedItem {
  var item: StoredItem
  var versions: [ItemVersion]
  private let value: JSONValue

  /// Nil when something that every item has is missing.
  init?(_ value: JSONValue) {
    guard let title = value["title"]?.string, let text = value["text"]?.string, value["id"]?.integer != nil,
      value["feed"]?.integer != nil, value["sequence"]?.integer != nil, value["stored"]?.integer != nil
    else { return nil }
    self.value = value
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
    item.details = ItemDetails(value["details"]?.text)
    item.author = StoredItem.authorText(item.details.authors)
    versions = (value["versions"]?.array ?? []).compactMap { version in
      guard let number = version["number"]?.integer, let replaced = version["replaced"]?.integer,
        let title = version["title"]?.string, let text = version["text"]?.string
      else { return nil }
      return ItemVersion(
        number: Int(number),
        replaced: Timestamp(seconds: replaced),
        title: title,
        text: text
      )
    }
  }

  func integer(_ name: String) -> Int64 { value[name]?.integer ?? 0 }
  var cluster: Int64? { value["cluster"]?.integer }
  var stored: Timestamp { Timestamp(seconds: integer("stored")) }
}
