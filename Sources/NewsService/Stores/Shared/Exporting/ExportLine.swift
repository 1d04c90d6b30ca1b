import NewsCore
package import NewsToolbox

/// Encodes items as lines of an export. Times are seconds since 1970, so that all times round-trip.
package enum ExportLine {
  /// Member names of the columns before `details`. A statement reads these columns first, then `details`, `text` and
  /// `html`. `sorted` is the time by which the item sorts, if that does not follow from its dates.
  private static let names = [
    "id", "feed", "sequence", "first_sequence", "change", "read", "starred", "cluster", "published",
    "updated", "stored", "language", "guid", "url", "title", "sorted", "summary",
  ]

  /// The first line of an export.
  package static let first = JSONValue.object([
    .init(name: "type", value: .string("newsd")), .init(name: "schema", value: .integer(1)),
  ])

  /// Returns the last line of an export.
  package static func last(items: Int) -> JSONValue {
    .object([
      .init(name: "type", value: .string("end")), .init(name: "items", value: .integer(Int64(items))),
    ])
  }

  /// Encodes an item without its texts.
  package static func head(_ row: borrowing some StoreRow & ~Copyable) -> JSONValue {
    .object(members(row, of: names.dropLast()) + [.init(name: "text", value: .string(""))])
  }

  /// Encodes an item without its versions.
  package static func item(
    _ row: borrowing some StoreRow & ~Copyable,
    article: ExportedArticle?,
    labels: [String]
  ) -> JSONValue {
    var members = members(row, of: names[...])
    if let details = row.optionalString(17).flatMap({ JSONValue(valid: $0) }) {
      members.append(.init(name: "details", value: details))
    }
    members.append(.init(name: "text", value: .string(row.string(18))))
    if let html = row.optionalString(19) { members.append(.init(name: "html", value: .string(html))) }
    if let article { members.append(.init(name: "article", value: article.json)) }
    if !labels.isEmpty { members.append(.init(name: "labels", value: .array(labels.map(JSONValue.string)))) }
    return .object(members)
  }

  /// Adds the item's versions to its line.
  static func with(_ versions: [JSONValue], _ line: JSONValue) -> JSONValue {
    guard !versions.isEmpty else { return line }
    let member = JSONValue.Member(name: "versions", value: .array(versions))
    return .object((line.members ?? []) + [member])
  }

  private static func members(
    _ row: borrowing some StoreRow & ~Copyable,
    of names: ArraySlice<String>
  ) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [.init(name: "type", value: .string("item"))]
    for (place, name) in names.enumerated() where !row.isNull(Int32(place)) {
      let index = Int32(place)
      let value: JSONValue = row.isInteger(index) ? .integer(row.int64(index)) : .string(row.string(index))
      members.append(.init(name: name, value: value))
    }
    return members
  }

  /// Encodes a version with its text. With `later`, which is the text of the next one, encodes in its place what differs.
  static func version(_ version: ItemVersion, changing later: String?) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(name: "number", value: .integer(Int64(version.number))),
      .init(name: "replaced", value: .integer(version.replaced.seconds)),
      .init(name: "title", value: .string(version.title)),
    ]
    if let later {
      let change = TextDelta.parts(from: later, to: version.text)
      members.append(.init(name: "prefix", value: .integer(Int64(change.prefix))))
      members.append(.init(name: "suffix", value: .integer(Int64(change.suffix))))
      members.append(.init(name: "change", value: .string(change.between)))
    } else {
      members.append(.init(name: "text", value: .string(version.text)))
    }
    return .object(members)
  }
}

/// Items of an export, in the order of ids, with their versions.
package struct ExportPage: Sendable {
  package var lines: [JSONValue] = []
  /// The id of the last item on the page; nil at the end of the items.
  package var last: Int64?
  /// The bytes of the texts after which a page ends before its limit: items and their versions may be large.
  package static let mostBytes = 16 << 20

  package init() {}
}

extension JSONValue {
  /// The bytes of the texts in the value.
  package var textBytes: Int {
    switch self {
    case .null, .bool, .number: 0
    case .string(let text): text.utf8.count
    case .array(let values): values.reduce(0) { $0 + $1.textBytes }
    case .object(let members, _): members.reduce(0) { $0 + $1.value.textBytes }
    }
  }
}
