import NewsToolbox

/// The JSON-LD data about a page's article (schema.org).
struct LinkedData {
  private(set) var headline: String?
  private(set) var author: String?
  private(set) var published: String?
  /// The article's text. From some publishers, it contains markup, or is only the first sentences.
  private(set) var body: String?
  /// True if the page declares its article to be for subscribers only.
  private(set) var isPaid = false
  private var values = 0

  /// Maximum number of JSON values that are read.
  private static let maximumValues = 2_000

  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
    var reader = JSONReader(Self.withoutComment(bytes), mostValues: JSONValue.mostValuesOfLine)
    guard let value = reader.read() else { return }
    read(value, depth: 0)
  }

  /// Returns the JSON without the CDATA section or comment in which some publishers put it.
  private static func withoutComment(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard
      let first = bytes.firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }),
      let last = bytes.lastIndex(where: { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "]") }), first < last
    else { return bytes }
    // Skip the bracket of `[CDATA[`, which is not part of the JSON.
    if bytes[first] == UInt8(ascii: "["), first + 1 < last, bytes[first + 1] == UInt8(ascii: "C") {
      guard let brace = bytes[first...].firstIndex(of: UInt8(ascii: "{")) else { return bytes }
      return UnsafeBufferPointer(rebasing: bytes[brace...last])
    }
    return UnsafeBufferPointer(rebasing: bytes[first...last])
  }

  private mutating func read(_ value: JSONValue, depth: Int) {
    values += 1
    guard depth < 6, values < Self.maximumValues else { return }
    if case .array(let elements) = value {
      for element in elements { read(element, depth: depth + 1) }
      return
    }
    guard value.members != nil else { return }
    if Self.isArticle(value["@type"]) { take(value) }
    for name in ["@graph", "mainEntity", "mainEntityOfPage"] {
      if let inner = value[name] { read(inner, depth: depth + 1) }
    }
  }

  private static func isArticle(_ type: JSONValue?) -> Bool {
    guard let type else { return false }
    return type.elements.contains { element in
      guard let text = element.text else { return false }
      return text.hasSuffix(bytesOf: "Article") || text.hasSuffix(bytesOf: "Posting")
        || text.hasSuffix(bytesOf: "Report") || text.hasSuffix(bytesOf: "Review")
    }
  }

  private mutating func take(_ article: JSONValue) {
    if headline == nil { headline = (article["headline"] ?? article["name"])?.text.flatMap(Self.line) }
    if published == nil { published = article["datePublished"]?.text }
    if author == nil, let people = article["author"] {
      let names = people.elements.compactMap { ($0["name"]?.elements.first ?? $0).text.flatMap(Self.line) }
      if !names.isEmpty { author = names.joined(separator: ", ") }
    }
    if let text = article["articleBody"]?.text, text.utf8.count > body?.utf8.count ?? 0 { body = text }
    if article["isAccessibleForFree"]?.flag == false { isPaid = true }
    if case .string(let word)? = article["isAccessibleForFree"], word == "False" { isPaid = true }
  }

  private static func line(_ text: String) -> String? {
    HTMLPlainText.line(HTMLPlainText.decodingReferences(in: text))
  }
}
