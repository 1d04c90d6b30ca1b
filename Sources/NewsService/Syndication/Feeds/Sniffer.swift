import NewsToolbox

/// Decides whether text of unknown type is HTML.
enum Sniffer {
  /// True if all tags before the first unknown end tag are HTML, and among them is an end tag, a tag of an element
  /// without end tag, or a complete comment.
  ///
  /// `a < b`, `List<String>` and `how to use <div>` are text.
  static func isMarkup(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var isCertain = false
    var hasNoCommentEnd = false
    var position = 0
    while let open = ByteText.firstIndex(of: UInt8(ascii: "<"), in: text, from: position) {
      position = open + 1
      guard position < text.count else { break }
      let isEnd = text[position] == UInt8(ascii: "/")
      let start = isEnd ? position + 1 : position
      var end = start
      while end < text.count, end - start < 24, ASCII.isLetter(text[end]) || ASCII.isDigit(text[end]) {
        end += 1
      }
      guard end > start, ASCII.isLetter(text[start]) else {
        // An unended comment would swallow the rest of the text.
        if !isCertain, !hasNoCommentEnd,
          ByteText.hasPrefix(UnsafeBufferPointer(rebasing: text[position...]), "!--")
        {
          isCertain = hasCommentEnd(text, from: position + 3)
          hasNoCommentEnd = !isCertain
        }
        continue
      }
      let element = element(UnsafeBufferPointer(rebasing: text[start..<end]))
      guard element != .unknown else { return isCertain && isEnd }
      if isEnd || HTMLVocabulary.shared.traits(element).contains(.void) { isCertain = true }
      position = end
    }
    return isCertain
  }

  /// True if text declared as plain begins with `<`, ends with `>`, and is HTML (`isMarkup`).
  static func isWhollyMarkup(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first, let last = text.last, first == UInt8(ascii: "<"), last == UInt8(ascii: ">")
    else { return false }
    return isMarkup(text)
  }

  /// True if the text has tags, but none that proves it to be HTML or XML. Proofs are an end tag, a declaration that
  /// is not text (`isText`), a name with `:` or `-`, and a known element that is void, a block, hidden or part of a
  /// table, or has an attribute.
  static func hasOnlyForeignTags(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var hasTag = false
    var hasNoCommentEnd = false
    var position = 0
    while let open = ByteText.firstIndex(of: UInt8(ascii: "<"), in: text, from: position) {
      position = open + 1
      guard position < text.count else { break }
      if text[position] == UInt8(ascii: "!") || text[position] == UInt8(ascii: "?") {
        guard isText(declaration: text, at: position, &hasNoCommentEnd) else { return false }
        hasTag = true
        continue
      }
      let isEnd = text[position] == UInt8(ascii: "/")
      let start = isEnd ? position + 1 : position
      var end = start
      while end < text.count, end - start < 24, ASCII.isLetter(text[end]) || ASCII.isDigit(text[end]) {
        end += 1
      }
      guard end > start, ASCII.isLetter(text[start]) else { continue }
      hasTag = true
      position = end
      let element = element(UnsafeBufferPointer(rebasing: text[start..<end]))
      // `<name:` and `<name-` begin tags of private vocabularies.
      if end < text.count,
        text[end] == UInt8(ascii: ":") || text[end] == UInt8(ascii: "-") || isEnd && element == .unknown
      {
        return false
      }
      guard element != .unknown else { continue }
      let traits = HTMLVocabulary.shared.traits(element)
      if isEnd || !traits.isDisjoint(with: [.void, .block, .hiddenRawText, .skipped, .tablePart]) {
        return false
      }
      if hasAttribute(text, from: end) { return false }
    }
    return hasTag
  }

  /// True for a `!` at `position` that begins a comment without end, or a name other than that of a complete DOCTYPE.
  /// An HTML parser would drop the text after it. `hasNoCommentEnd` makes repeated searches linear.
  private static func isText(
    declaration text: UnsafeBufferPointer<UInt8>,
    at position: Int,
    _ hasNoCommentEnd: inout Bool
  ) -> Bool {
    let rest = UnsafeBufferPointer(rebasing: text[position...])
    if ByteText.hasPrefix(rest, "!--") {
      if !hasNoCommentEnd { hasNoCommentEnd = !hasCommentEnd(text, from: position + 3) }
      return hasNoCommentEnd
    }
    guard rest.count > 1, rest[0] == UInt8(ascii: "!"), ASCII.isLetter(rest[1]) else { return false }
    return !ByteText.hasPrefix(rest, "!doctype")
      || ByteText.firstIndex(of: UInt8(ascii: ">"), in: rest) == nil
  }

  /// True if the comment whose content begins at `start` has an end. In HTML, `--!>` ends a comment too, and `<!-->`
  /// and `<!--->` are complete comments.
  private static func hasCommentEnd(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    let content = UnsafeBufferPointer(rebasing: text[start...])
    if ByteText.hasPrefix(content, ">") || ByteText.hasPrefix(content, "->") { return true }
    var index = start
    while let found = ByteText.firstIndex(of: UInt8(ascii: "-"), in: text, from: index) {
      let rest = UnsafeBufferPointer(rebasing: text[found...])
      if ByteText.hasPrefix(rest, "-->") || ByteText.hasPrefix(rest, "--!>") { return true }
      index = found + 1
    }
    return false
  }

  /// True if the first attribute of the tag has a value (`name=`).
  private static func hasAttribute(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    var index = start
    while index < text.count, text[index] <= UInt8(ascii: " ") { index += 1 }
    guard index > start else { return false }
    let name = index
    while index < text.count, ASCII.isLetter(text[index]) || text[index] == UInt8(ascii: "-") { index += 1 }
    return index > name && index < text.count && text[index] == UInt8(ascii: "=")
  }

  private static func element(_ name: UnsafeBufferPointer<UInt8>) -> HTMLElement {
    guard let start = name.baseAddress else { return .unknown }
    return HTMLElement(rawValue: HTMLVocabulary.shared.elements.value(start, name.count)) ?? .unknown
  }

  /// Decodes references that end in a semicolon; `&copy=1` and `AT&T` stay.
  static func decodeReferences(
    _ text: UnsafeBufferPointer<UInt8>,
    into output: inout ByteBuffer
  ) {
    guard let base = text.baseAddress else { return }
    let entities = HTMLEntities.shared
    let end = base + text.count
    var index = 0
    while let ampersand = ByteText.firstIndex(of: UInt8(ascii: "&"), in: text, from: index) {
      output.append(base + index, ampersand - index)
      index = ampersand + 1
      if let reference = entities.reference(base + index, end, inAttribute: true), reference.length > 0,
        text[index + reference.length - 1] == UInt8(ascii: ";")
      {
        output.append(reference)
        index += reference.length
      } else {
        output.append(UInt8(ascii: "&"))
      }
    }
    output.append(base + index, text.count - index)
  }
}
