/// Guesses whether text is meant as HTML where nothing, or something wrong, is said about it.
enum Sniffer {
  /// True when there are tags, all of them are HTML's, and one of them is an end tag or needs none.
  ///
  /// `a < b`, `List<String>` and `how to use <div>` are text.
  static func isMarkup(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var isCertain = false
    var position = 0
    while let open = ByteText.firstIndex(of: 0x3C, in: text, from: position) {
      position = open + 1
      guard position < text.count else { break }
      let isEnd = text[position] == 0x2F
      let start = isEnd ? position + 1 : position
      var end = start
      while end < text.count, end - start < 24, ASCII.isLetter(text[end]) || ASCII.isDigit(text[end]) {
        end += 1
      }
      guard end > start, ASCII.isLetter(text[start]) else {
        if ByteText.hasPrefix(UnsafeBufferPointer(rebasing: text[position...]), "!--") { isCertain = true }
        continue
      }
      let element = element(UnsafeBufferPointer(rebasing: text[start..<end]))
      guard element != .unknown else { return isCertain && isEnd }
      if isEnd || HTMLVocabulary.shared.traits(element).contains(.void) { isCertain = true }
      position = end
    }
    return isCertain
  }

  /// True when text that is declared plain begins and ends with a tag of HTML: the declaration lies.
  static func isWhollyMarkup(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first, let last = text.last, first == 0x3C, last == 0x3E else { return false }
    return isMarkup(text)
  }

  /// True when what looks like tags is surely none of HTML's: no known element that is ended, needs no end, or has an
  /// attribute.
  static func hasOnlyForeignTags(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var hasTag = false
    var position = 0
    while let open = ByteText.firstIndex(of: 0x3C, in: text, from: position) {
      position = open + 1
      guard position < text.count else { break }
      if text[position] == 0x21 || text[position] == 0x3F { return false }
      let isEnd = text[position] == 0x2F
      let start = isEnd ? position + 1 : position
      var end = start
      while end < text.count, end - start < 24, ASCII.isLetter(text[end]) || ASCII.isDigit(text[end]) {
        end += 1
      }
      guard end > start, ASCII.isLetter(text[start]) else { continue }
      hasTag = true
      position = end
      let element = element(UnsafeBufferPointer(rebasing: text[start..<end]))
      // `<name:` and `<name-`: of somebody's own making, but markup.
      if end < text.count, text[end] == 0x3A || text[end] == 0x2D || isEnd && element == .unknown {
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

  /// `name=` before the tag's end.
  private static func hasAttribute(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    var index = start
    while index < text.count, text[index] <= 0x20 { index += 1 }
    guard index > start else { return false }
    let name = index
    while index < text.count, ASCII.isLetter(text[index]) || text[index] == 0x2D { index += 1 }
    return index > name && index < text.count && text[index] == 0x3D
  }

  private static func element(_ name: UnsafeBufferPointer<UInt8>) -> HTMLElement {
    guard let start = name.baseAddress else { return .unknown }
    return HTMLElement(rawValue: HTMLVocabulary.shared.elements.value(start, name.count)) ?? .unknown
  }

  /// Decodes references that end in a semicolon; `&copy=1` and `AT&T` stay.
  /// `isSpent`: nobody reads the text again.
  static func decodeReferences(
    _ text: UnsafeBufferPointer<UInt8>,
    into output: inout ByteBuffer,
    isSpent: Bool = false
  ) {
    guard let base = text.baseAddress else { return }
    var pages = SpentPages(text, isSpent: isSpent)
    let entities = HTMLEntities.shared
    let end = base + text.count
    var index = 0
    while let ampersand = ByteText.firstIndex(of: 0x26, in: text, from: index) {
      output.append(base + index, ampersand - index)
      index = ampersand + 1
      if let reference = entities.reference(base + index, end, inAttribute: true), reference.length > 0,
        text[index + reference.length - 1] == 0x3B
      {
        output.append(reference)
        index += reference.length
      } else {
        output.append(0x26)
      }
      pages.giveBack(upTo: index)
    }
    output.append(base + index, text.count - index)
  }
}
