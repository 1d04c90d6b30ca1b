import NewsCore
import NewsToolbox

/// Finds breaches of JSON Feed (https://www.jsonfeed.org/version/1.1/).
struct JSONFeedCheck {
  private(set) var findings: [Finding] = []
  private let limit: Int
  private let latest: Timestamp
  private var ids: Set<String> = []
  private var isFirstVersion = false

  init(limit: Int, latest: Timestamp) {
    self.limit = limit
    self.latest = latest
  }

  private mutating func note(_ offset: Int, _ message: String) {
    if findings.count < limit { findings.append(Finding(offset: offset, message: message)) }
  }

  mutating func check(_ utf8: UnsafeBufferPointer<UInt8>) {
    var reader = JSONReader(utf8, mostValues: ParseLimits().maximumValues)
    guard let root = reader.read(), case .object(_, let start) = root, root["items"] != nil else { return }
    let versions = ["https://jsonfeed.org/version/1", "https://jsonfeed.org/version/1.1"]
    if let version = root["version"]?.text, !versions.contains(version) {
      note(start, "the feed's version is unknown: \(version.prefix(60))")
    }
    isFirstVersion = root["version"]?.text == versions[0]
    for name in ["version", "title", "feed_url", "home_page_url"] where root[name]?.text == nil {
      note(start, "the feed has no \(name)")
    }
    check(
      root,
      "the feed",
      at: start,
      [
        "version": .text, "title": .text, "home_page_url": .address, "feed_url": .address,
        "description": .text,
        "user_comment": .text, "next_url": .address, "icon": .address, "favicon": .address, "authors": .list,
        "author": .object, "language": .language, "expired": .flag, "hubs": .list, "items": .list,
      ]
    )
    if let next = root["next_url"]?.text, next == root["feed_url"]?.text {
      note(start, "the feed's next_url is its feed_url")
    }
    checkAuthors(root, "the feed", at: start)
    for hub in root["hubs"]?.elements ?? [] where hub["type"]?.text == nil || hub["url"]?.text == nil {
      note(start, "a hub of the feed has no type or no url")
    }
    guard case .array(let items)? = root["items"] else { return }
    for item in items {
      guard findings.count < limit else { return }
      guard case .object(_, let offset) = item else {
        note(start, "an item is not an object")
        continue
      }
      check(item: item, at: offset)
    }
  }

  private mutating func check(item: JSONValue, at offset: Int) {
    switch item["id"] {
    case .string(let id)? where !id.isEmpty:
      if !ids.insert(id).inserted { note(offset, "the item has the id of another item: \(id.prefix(60))") }
    case .number(let id)?:
      note(offset, "the item's id is not a string: \(id.prefix(60))")
      if !ids.insert(id).inserted { note(offset, "the item has the id of another item: \(id.prefix(60))") }
    default: note(offset, "the item has no id")
    }
    if item["content_html"]?.text == nil, item["content_text"]?.text == nil {
      note(offset, "the item has no content")
    }
    if item["date_published"] == nil { note(offset, "the item has no date_published") }
    check(
      item,
      "the item",
      at: offset,
      [
        "url": .address, "external_url": .address, "title": .text, "content_html": .text,
        "content_text": .text,
        "summary": .text, "image": .address, "banner_image": .address, "date_published": .date,
        "date_modified": .date,
        "authors": .list, "author": .object, "tags": .list, "language": .language, "attachments": .list,
        "id": .any,
      ]
    )
    checkAuthors(item, "the item", at: offset)
    for tag in item["tags"]?.elements ?? [] {
      if case .string = tag { continue }
      note(offset, "a tag of the item is not a string")
    }
    if var html = item["content_html"]?.text, html.utf8.contains(UInt8(ascii: "<")) {
      for message in html.withUTF8({ ContentCheck.findings($0, in: "content_html") }) {
        note(offset, message.replacing("<content_html>", with: "content_html"))
      }
    }
    for attachment in item["attachments"]?.elements ?? [] {
      let place: Int
      if case .object(_, let at) = attachment { place = at } else { place = offset }
      if attachment["url"]?.text == nil { note(place, "the attachment has no url") }
      if attachment["mime_type"]?.text == nil { note(place, "the attachment has no mime_type") }
      check(
        attachment,
        "the attachment",
        at: place,
        [
          "url": .address, "mime_type": .mediaType, "title": .text, "size_in_bytes": .number,
          "duration_in_seconds": .number,
        ]
      )
    }
  }

  private mutating func checkAuthors(_ value: JSONValue, _ owner: String, at offset: Int) {
    if value["author"] != nil, !isFirstVersion {
      note(offset, "\(owner) has author; version 1.1 has the list authors")
    }
    for author in value["authors"]?.elements ?? [] {
      if author["name"]?.text == nil, author["url"]?.text == nil, author["avatar"]?.text == nil {
        note(offset, "an author has neither name, url nor avatar")
      }
    }
  }

  private enum Kind {
    case any, text, address, date, language, mediaType, number, flag, list, object
  }

  /// Reports known members with a value of the wrong type, and unknown members whose name does not begin with
  /// an underscore.
  private mutating func check(_ value: JSONValue, _ owner: String, at offset: Int, _ kinds: [String: Kind]) {
    guard case .object(let members, _) = value else { return }
    for member in members {
      let (name, value) = (member.name, member.value)
      if case .null = value { continue }
      guard let kind = kinds[name] else {
        if !name.hasPrefix("_") {
          note(offset, "\(owner) has \(name.prefix(60)), which JSON Feed does not define")
        }
        continue
      }
      if let fault = fault(value, kind) { note(offset, "\(owner)'s \(name) \(fault)") }
    }
  }

  private func fault(_ value: JSONValue, _ kind: Kind) -> String? {
    switch (kind, value) {
    case (.any, _), (.text, .string), (.flag, .bool), (.list, .array), (.object, .object): return nil
    case (.number, .number(let text)): return text.hasPrefix("-") ? "is below zero" : nil
    case (.address, .string(let text)):
      return text.isEmpty || CheckedValue.isAbsoluteURL(text)
        ? nil : "is not an absolute URL: \(text.prefix(60))"
    case (.language, .string(let text)):
      return CheckedValue.isLanguage(text) ? nil : "is not a BCP 47 language tag: \(text.prefix(60))"
    case (.mediaType, .string(let text)):
      return CheckedValue.isMediaType(text) ? nil : "is not a media type: \(text.prefix(60))"
    case (.date, .string(let text)):
      guard let date = DateParser.parse(text) else { return "is not a date: \(text.prefix(60))" }
      if let fault = CheckedValue.faultOfRFC3339(text) { return fault }
      return date > latest ? "is in the future: \(text.prefix(60))" : nil
    case (.number, _): return "is not a number"
    case (.flag, _): return "is not true or false"
    case (.list, _): return "is not a list"
    case (.object, _): return "is not an object"
    default: return "is not a string"
    }
  }
}
