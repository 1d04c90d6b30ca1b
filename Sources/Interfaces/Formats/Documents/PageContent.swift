import Modules
import NewsCore
import NewsText

/// An item's sanitised HTML made fit to stand on one page with that of others.
///
/// Names of places (`id`, `name`, and what refers to them) get the item's id in front, so that no two are alike and a link
/// within an item stays there; classes, which could be the page's own, go. Attributes of sanitised HTML are written
/// ` name="value"` throughout, and no `<` stands in text.
enum PageContent {
  private static let places = ["id", "name", "headers", "usemap"]

  static func append(_ html: String, of id: NewsItem.ID, to buffer: inout ByteBuffer) {
    let isPlain = !["id=", "class=", "name=", "headers=", "=\"#"].contains { html.contains($0) }
    guard !isPlain else { return buffer.append(markup: html) }
    let prefix = "i\(id.rawValue)-"
    var rest = html[...]
    while let start = rest.firstIndex(of: "<") {
      buffer.append(markup: String(rest[..<start]))
      rest = rest[start...]
      guard let end = endOfTag(rest) else { break }
      append(tag: rest[..<end], prefix, to: &buffer)
      rest = rest[end...]
    }
    buffer.append(markup: String(rest))
  }

  /// Behind the `>` that closes the tag; one within quotes does not.
  private static func endOfTag(_ text: Substring) -> Substring.Index? {
    var isQuoted = false
    for index in text.indices {
      if text[index] == "\"" { isQuoted.toggle() }
      if text[index] == ">", !isQuoted { return text.index(after: index) }
    }
    return nil
  }

  private static func append(tag: Substring, _ prefix: String, to buffer: inout ByteBuffer) {
    // Odd pieces are values.
    let pieces = tag.split(separator: "\"", omittingEmptySubsequences: false)
    var pending = ""
    for (index, piece) in pieces.enumerated() {
      guard !index.isMultiple(of: 2) else {
        pending = String(piece)
        if index == pieces.count - 1 || !piece.hasSuffix("=") { buffer.append(markup: pending) }
        continue
      }
      let name = pending.dropLast().reversed().prefix { !$0.isWhitespace }
      let attribute = String(name.reversed())
      if attribute == "class" {
        buffer.append(markup: String(pending.dropLast("class=".count).trimmedEnd))
        continue
      }
      buffer.append(markup: pending + "\"" + value(piece, of: attribute, prefix) + "\"")
    }
  }

  private static func value(_ value: Substring, of attribute: String, _ prefix: String) -> String {
    guard !value.isEmpty else { return "" }
    if places.contains(attribute) {
      if value.hasPrefix("#") { return "#" + prefix + value.dropFirst() }
      return value.split(separator: " ").map { prefix + $0 }.joined(separator: " ")
    }
    guard attribute == "href", value.hasPrefix("#") else { return String(value) }
    // `#` alone is the top of the page.
    return value.count == 1 ? "#" : "#" + prefix + value.dropFirst()
  }
}

extension StringProtocol {
  fileprivate var trimmedEnd: SubSequence {
    var rest = self[...]
    while rest.last == " " { rest.removeLast() }
    return rest
  }
}
