public import NewsCore
import NewsToolbox

/// Reads items written by scripts: JSON Lines, and sfeed's tab-separated lines.
public struct ItemLines: ItemLineDecoding {
  private let limits: ParseLimits

  public init(limits: ParseLimits = .init()) {
    self.limits = limits
  }

  public func item(ofLine line: ArraySlice<UInt8>) throws(FeedParseError) -> ImportedItem {
    switch line.first(where: { $0 > UInt8(ascii: " ") }) {
    case UInt8(ascii: "{"): return try json(line)
    default:
      guard line.contains(UInt8(ascii: "\t")) else {
        throw Self.bad("neither a JSON object nor a line of an sfeed file")
      }
      return try sfeed(line)
    }
  }

  private static func bad(_ what: String) -> FeedParseError { FeedParseError(code: .notAFeed, message: what) }

  // MARK: JSON

  private func json(_ line: ArraySlice<UInt8>) throws(FeedParseError) -> ImportedItem {
    let (value, problem) = Self.read(line)
    if let problem { throw Self.bad("\(problem.message.lowercasedFirst) (column \(problem.offset + 1))") }
    guard let value, value.members != nil else { throw Self.bad("not a JSON object") }
    guard Self.identifyingMembers.contains(where: { value[$0] != nil }) else {
      throw Self.bad("the item has no id, title, address or text")
    }
    return item(value)
  }

  /// Members of which an item must have at least one.
  private static let identifyingMembers = [
    "id", "guid", "url", "external_url", "title", "content_html", "content_text", "summary",
  ]

  private static func read(
    _ bytes: ArraySlice<UInt8>
  ) -> (JSONValue?, problem: (offset: Int, message: String)?) {
    bytes.withUnsafeBufferPointer { buffer in
      var reader = JSONReader(buffer, mostValues: JSONValue.mostValuesOfLine)
      let value = reader.read()
      return (value, reader.firstProblem)
    }
  }

  private func item(_ value: JSONValue) -> ImportedItem {
    let isOurs = value["schema"] != nil || value["guid"] != nil
    let items = JSONValue.array([isOurs ? Self.asFeedItem(value) : value])
    var builder = FeedBuilder(.init(limits: limits, sanitizes: true, documentBase: nil))
    let feed = JSONFeedReader.feed(
      .object([.init(name: "version", value: .string("1.1")), .init(name: "items", value: items)]),
      builder: &builder
    )
    var item = feed.items.first ?? ParsedItem()
    if isOurs {
      // newsd's text fields are plain text, so markup in them is literal.
      item.title = value["title"]?.text.map(Self.line)
      item.summary = value["summary"]?.text
      item.extensions = Self.media(value, item.extensions)
      item.itunesDuration = value["duration"]?.wholeNumber
      if item.contentHTML == nil { item.contentText = value["content_text"]?.text ?? item.contentText }
    }
    return ImportedItem(
      item: item,
      isRead: value["is_read"]?.flag ?? false,
      isStarred: value["is_starred"]?.flag ?? false
    )
  }

  /// Reads newsd's fields for media, whose URLs the store's cleaner checks.
  private static func media(_ value: JSONValue, _ former: ItemExtensions?) -> ItemExtensions? {
    var media = ItemMedia()
    func address(_ name: String) -> String? {
      value[name]?.text.flatMap { URLResolver.resolve($0, base: nil, policy: .resource) }
    }
    media.thumbnail = address("thumbnail").map { ItemPicture(url: $0) }
    media.episode = value["episode"]?.text
    media.season = value["season"]?.text
    media.chapters = address("chapters").map { Link(href: $0) }
    media.transcripts = [address("transcript")].compactMap { $0.map { Link(href: $0) } }
    guard media != ItemMedia() else { return former }
    var extensions = media.extensions
    extensions.bannerImage = former?.bannerImage
    return extensions
  }

  private static func line(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < UInt8(ascii: " ") }) else { return text }
    return text.split(whereSeparator: { $0.isNewline || $0 == "\t" }).joined(separator: " ")
  }

  /// Maps newsd's names (docs/formats.md) to those of JSON Feed.
  private static let names = [
    "guid": "id", "published": "date_published", "updated": "date_modified", "enclosures": "attachments",
  ]
  private static let enclosureNames = ["size": "size_in_bytes", "duration": "duration_in_seconds"]

  private static func asFeedItem(_ value: JSONValue) -> JSONValue {
    guard case .object(let members, let place) = value else { return value }
    var renamed: [JSONValue.Member] = []
    for member in members {
      // newsd's `id` is local to a store; `guid` identifies the item.
      if member.name == "id", value["guid"] != nil { continue }
      guard let name = names[member.name] else {
        renamed.append(member)
        continue
      }
      let isList = member.name == "enclosures"
      let value = isList ? .array(member.value.elements.map(asAttachment)) : member.value
      renamed.append(.init(name: name, value: value))
    }
    return .object(renamed, at: place)
  }

  private static func asAttachment(_ value: JSONValue) -> JSONValue {
    guard case .object(let members, let place) = value else { return value }
    return .object(
      members.map { .init(name: enclosureNames[$0.name] ?? $0.name, value: $0.value) },
      at: place
    )
  }

  // MARK: sfeed

  private func sfeed(_ line: ArraySlice<UInt8>) throws(FeedParseError) -> ImportedItem {
    let tabs = line.count { $0 == UInt8(ascii: "\t") }
    // Early sfeed versions had no category field.
    guard tabs >= 7 else {
      throw Self.bad("the line has \(tabs + 1) fields; a line of an sfeed file has nine")
    }
    let time = line.prefix { $0 != UInt8(ascii: "\t") }
    guard time.isEmpty || Int64(String(decoding: time, as: UTF8.self)) != nil else {
      throw Self.bad("the first field is not a Unix time, with which a line of an sfeed file begins")
    }
    guard var imported = SfeedTable.item(line) else {
      throw Self.bad("the item has no id, title, address or text")
    }
    if let html = imported.item.contentHTML {
      var sanitizer = HTMLSanitizer()
      let (clean, text) = sanitizer.sanitize(html, base: imported.item.url)
      imported.item.contentHTML = clean
      imported.item.contentText = text
    }
    return imported
  }

  // MARK: Shapes

  public func shape(of start: ArraySlice<UInt8>) -> ItemInputShape? {
    guard let first = start.firstIndex(where: { $0 > UInt8(ascii: " ") }) else { return nil }
    switch start[first] {
    case UInt8(ascii: "<"), UInt8(ascii: "["): return .document
    case UInt8(ascii: "{"):
      guard let end = start[first...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      // A JSON Feed is one object, on one line or many; in JSON Lines each line is a value.
      let line = start[first..<end]
      if line.last(where: { $0 > UInt8(ascii: " ") }) != UInt8(ascii: "}") { return .document }
      let (value, problem) = Self.read(line)
      return problem == nil && value?["items"] != nil ? .document : .lines
    default: return .lines
    }
  }
}

extension ItemLines {
  /// Reads the objects of an array, the form in which `newsd list --format json` prints items. Returns nil if the
  /// text is not an array.
  public func items(ofArray bytes: ArraySlice<UInt8>) throws(FeedParseError) -> [ImportedItem]? {
    guard bytes.first(where: { $0 > UInt8(ascii: " ") }) == UInt8(ascii: "[") else { return nil }
    let (value, problem) = Self.read(bytes)
    if let problem { throw Self.bad("\(problem.message) (byte \(problem.offset + 1))") }
    return value?.elements.filter { $0.members != nil }.map(item)
  }
}

extension String {
  fileprivate var lowercasedFirst: String {
    var rest = self
    if rest.hasSuffix(".") { rest.removeLast() }
    return rest.prefix(1).lowercased() + rest.dropFirst()
  }
}
