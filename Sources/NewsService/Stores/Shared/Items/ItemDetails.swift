package import NewsCore
package import NewsToolbox

/// Parts of an item, stored as one short JSON text that no query reads: for tags, authors and enclosures,
/// queries use other tables and columns. Most items have none of these parts.
package struct ItemDetails: Hashable {
  package var authors: [Author] = []
  /// The feed's tags.
  package var tags: [String] = []
  /// Tags added by rules. They are kept when the feed changes its own tags.
  package var ruleTags: [String] = []
  package var enclosures: [Enclosure] = []
  package var image: String?
  package var commentsURL: String?
  package var media: ItemMedia?

  /// The feed's tags followed by the rules' tags, without duplicates.
  package var allTags: [String] { tags + ruleTags.filter { !tags.contains($0) } }

  package var text: String? {
    var members: [JSONValue.Member] = []
    if !authors.isEmpty {
      members.append(.init(name: "authors", value: .array(authors.map(Self.json))))
    }
    if !tags.isEmpty {
      members.append(.init(name: "tags", value: .array(tags.map(JSONValue.string))))
    }
    if !ruleTags.isEmpty {
      members.append(.init(name: "own_tags", value: .array(ruleTags.map(JSONValue.string))))
    }
    if !enclosures.isEmpty {
      members.append(.init(name: "enclosures", value: .array(enclosures.map(Self.json))))
    }
    if let image { members.append(.init(name: "image", value: .string(image))) }
    if let commentsURL { members.append(.init(name: "comments", value: .string(commentsURL))) }
    if let media { members.append(.init(name: "media", value: Self.json(media))) }
    return members.isEmpty ? nil : JSONValue.object(members).serialized
  }

  /// The JSON text of the parts that an item's revision depends on.
  package var revisionText: String? {
    guard media != nil else { return feedText }
    var details = self
    details.media = nil
    return details.feedText
  }

  /// The JSON text without the tags added by rules.
  package var feedText: String? {
    guard !ruleTags.isEmpty else { return text }
    var feedDetails = self
    feedDetails.ruleTags = []
    return feedDetails.text
  }

  package init() {}

  package init(_ text: String?) {
    guard let text, let value = JSONValue(valid: text) else { return }
    authors = value["authors"]?.array?.map(Self.author) ?? []
    tags = value["tags"]?.array?.compactMap(\.string) ?? []
    ruleTags = value["own_tags"]?.array?.compactMap(\.string) ?? []
    enclosures = value["enclosures"]?.array?.compactMap(Self.enclosure) ?? []
    image = value["image"]?.string
    commentsURL = value["comments"]?.string
    media = value["media"].map(Self.media)
  }

  package static func json(_ author: Author) -> JSONValue {
    var members: [JSONValue.Member] = []
    if let name = author.name { members.append(.init(name: "name", value: .string(name))) }
    if let url = author.url { members.append(.init(name: "url", value: .string(url))) }
    if let email = author.email { members.append(.init(name: "email", value: .string(email))) }
    return .object(members)
  }

  package static func author(_ value: JSONValue) -> Author {
    Author(name: value["name"]?.string, url: value["url"]?.string, email: value["email"]?.string)
  }

  package static func json(_ enclosure: Enclosure) -> JSONValue {
    var members: [JSONValue.Member] = [.init(name: "url", value: .string(enclosure.url))]
    if let type = enclosure.mimeType { members.append(.init(name: "mime_type", value: .string(type))) }
    if let title = enclosure.title { members.append(.init(name: "title", value: .string(title))) }
    if let size = enclosure.size { members.append(.init(name: "size", value: .integer(size))) }
    if let duration = enclosure.duration {
      members.append(.init(name: "duration", value: .integer(duration)))
    }
    return .object(members)
  }

  package static func enclosure(_ value: JSONValue) -> Enclosure? {
    guard let url = value["url"]?.string else { return nil }
    return Enclosure(
      url: url,
      mimeType: value["mime_type"]?.string,
      title: value["title"]?.string,
      size: value["size"]?.integer,
      duration: value["duration"]?.integer
    )
  }
}
