import NewsCore
import NewsToolbox

/// Reads RSS in JSON (http://scripting.com/2012/09/10/rssInJsonForReal.html). Converts it to XML, which is read as
/// RSS with all extensions.
enum RSSInJSON {
  static func read(
    _ rss: JSONValue,
    problems: [SyntaxProblem],
    builder: inout FeedBuilder
  ) -> ParsedFeed {
    var xml = ByteBuffer(capacity: 64 * 1024)
    write("rss", rss, into: &xml, depth: 0)
    let limits = builder.limits
    var feed = XMLFeedReader.read(xml.bytes, check: UTF8Check(xml.bytes), builder: &builder, limits: limits)
    // Drop problems of the generated XML: JSON declares no prefixes, and the line numbers mean nothing to the
    // publisher.
    feed.problems =
      problems + builder.limitsHit.findings.map { SyntaxProblem(line: 1, column: 1, message: $0.message) }
    feed.isWellFormed = feed.problems.isEmpty
    return feed
  }

  /// Elements whose members are all attributes.
  private static let attributed: Set<String> = [
    "enclosure", "guid", "source", "category", "cloud", "itunes:image",
  ]

  /// Writes a value as XML. `JSONReader` limits the recursion depth.
  private static func write(_ name: String, _ value: JSONValue, into xml: inout ByteBuffer, depth: Int) {
    guard isName(name), depth <= JSONReader.maximumDepth else { return }
    switch value {
    case .null: return
    case .array(let elements):
      for element in elements { write(name, element, into: &xml, depth: depth + 1) }
    case .object(let members, _):
      let takesAttributes = attributed.contains(name) || members.contains { $0.name == "#value" }
      xml.append(UInt8(ascii: "<"))
      xml.append(name)
      for member in members {
        let (key, value) = (member.name, member.value)
        let isAttribute =
          key.hasPrefix("@") || (takesAttributes && key != "#value") || (depth == 0 && key == "version")
        let attribute = key.hasPrefix("@") ? String(key.dropFirst()) : key
        guard isAttribute, isName(attribute), let text = scalar(value) else { continue }
        xml.append(UInt8(ascii: " "))
        xml.append(attribute)
        xml.append("=\"")
        escape(text, into: &xml)
        xml.append(UInt8(ascii: "\""))
      }
      xml.append(UInt8(ascii: ">"))
      for member in members {
        let (key, value) = (member.name, member.value)
        if key == "#value" || key == "#text" {
          if let text = scalar(value) { escape(text, into: &xml) }
        } else if !takesAttributes, !key.hasPrefix("@"), !(depth == 0 && key == "version") {
          write(key, value, into: &xml, depth: depth + 1)
        }
      }
      end(name, into: &xml)
    case .bool, .number, .string:
      guard let text = scalar(value) else { return }
      xml.append(UInt8(ascii: "<"))
      xml.append(name)
      xml.append(UInt8(ascii: ">"))
      escape(text, into: &xml)
      end(name, into: &xml)
    }
  }

  private static func end(_ name: String, into xml: inout ByteBuffer) {
    xml.append("</")
    xml.append(name)
    xml.append(UInt8(ascii: ">"))
  }

  private static func scalar(_ value: JSONValue) -> String? {
    if case .bool(let flag) = value { return flag ? "true" : "false" }
    return value.text
  }

  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, ASCII.isLetter(first) else { return false }
    return name.utf8.allSatisfy { $0 < 0x80 && ByteText.isNameByte($0) }
  }

  private static func escape(_ text: String, into xml: inout ByteBuffer) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): xml.append("&quot;")
      case UInt8(ascii: "&"): xml.append("&amp;")
      case UInt8(ascii: "<"): xml.append("&lt;")
      case UInt8(ascii: ">"): xml.append("&gt;")
      case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: " ")...: xml.append(byte)
      default: break
      }
    }
  }
}
