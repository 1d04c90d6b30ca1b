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
    let value = JSONValue.object(of: [
      "authors": authors.isEmpty ? nil : .array(authors.map(Self.json)), "tags": JSONValue.texts(tags),
      "own_tags": JSONValue.texts(ruleTags),
      "enclosures": enclosures.isEmpty ? nil : .array(enclosures.map(Self.json)),
      "image": image.map(JSONValue.string), "comments": commentsURL.map(JSONValue.string),
      "media": media.map(Self.json),
    ])
    return value.members?.isEmpty == false ? value.serialized : nil
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

  /// The bytes of the longest text of an item that newsd stores. A field of a document has 8 MiB at most, and grows when its links
  /// are resolved.
  package static let longestField = 16 << 20

  /// Leaves out what makes the JSON text longer than newsd stores it. In documents, this can be done only by addresses that a
  /// base makes long.
  mutating func shorten() {
    // JSON writes a byte as six bytes at most.
    let most = Self.longestField / 8
    guard size > most else { return }
    media = nil
    if size > most { enclosures = [] }
    if size > most { (authors, image, commentsURL) = ([], nil, nil) }
    if size > most { (tags, ruleTags) = ([], []) }
  }

  /// The bytes of all texts, and those of the names around them.
  private var size: Int {
    func bytes(_ texts: String?...) -> Int { texts.reduce(100) { $0 + ($1?.utf8.count ?? 0) } }
    var size = bytes(image, commentsURL) + (media?.size ?? 0)
    for tag in tags { size += 4 + tag.utf8.count }
    for tag in ruleTags { size += 4 + tag.utf8.count }
    for author in authors { size += bytes(author.name, author.url, author.email) }
    for enclosure in enclosures { size += bytes(enclosure.url, enclosure.mimeType, enclosure.title) }
    return size
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
    .object(of: [
      "name": author.name.map(JSONValue.string), "url": author.url.map(JSONValue.string),
      "email": author.email.map(JSONValue.string),
    ])
  }

  package static func author(_ value: JSONValue) -> Author {
    Author(name: value["name"]?.string, url: value["url"]?.string, email: value["email"]?.string)
  }

  package static func json(_ enclosure: Enclosure) -> JSONValue {
    .object(of: [
      "url": .string(enclosure.url), "mime_type": enclosure.mimeType.map(JSONValue.string),
      "title": enclosure.title.map(JSONValue.string), "size": enclosure.size.map(JSONValue.integer),
      "duration": enclosure.duration.map(JSONValue.integer),
    ])
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
