import NewsToolbox

/// Filters a `style` attribute down to declarations that cannot load content, run code or cover other content.
///
/// A declaration is kept when its property is allowed and its value consists of plain words, numbers, colours and
/// quoted font names. Escapes, comments, URLs, and functions other than colour functions are refused. Values that
/// override text direction are refused too, as well as negative numbers and numbers large enough to cover or displace
/// neighbouring items.
enum CSSFilter {
  /// Appends the accepted declarations as `name: value; name: value`. Appends nothing if no declaration is accepted.
  static func filter(_ style: UnsafeBufferPointer<UInt8>, into output: inout ByteBuffer) {
    guard var position = style.baseAddress else { return }
    let end = position + style.count
    let first = output.count
    while position < end {
      // Split at every semicolon, even inside quotes or parentheses: the halves have an unpaired quote or parenthesis
      // and are refused.
      let declarationEnd = ByteScan.find(UInt8(ascii: ";"), position, end) ?? end
      declaration(position, declarationEnd, first: first, into: &output)
      position = declarationEnd + 1
    }
  }

  static func equals(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>,
    _ name: StaticString
  ) -> Bool {
    guard end - start == name.utf8CodeUnitCount else { return false }
    for index in 0..<name.utf8CodeUnitCount where ASCII.lowercase(start[index]) != name.utf8Start[index] {
      return false
    }
    return true
  }

  private static func declaration(
    _ from: UnsafePointer<UInt8>,
    _ to: UnsafePointer<UInt8>,
    first: Int,
    into output: inout ByteBuffer
  ) {
    var start = from
    var end = to
    trim(&start, &end)
    guard let colon = ByteScan.find(UInt8(ascii: ":"), start, end) else { return }
    var nameEnd = colon
    while nameEnd > start, ASCII.isSpace(nameEnd[-1]) { nameEnd -= 1 }
    guard properties.value(start, nameEnd - start) != 0 else { return }
    var value = colon + 1
    trim(&value, &end)
    guard isHarmless(value, end), hasBoundedNumbers(value, end), !overridesDirection(value, end) else {
      return
    }
    if output.count > first { output.append("; ") }
    var name = start
    while name < nameEnd {
      output.append(ASCII.lowercase(name.pointee))
      name += 1
    }
    output.append(": ")
    output.append(value, end - value)
  }

  static func trim(_ start: inout UnsafePointer<UInt8>, _ end: inout UnsafePointer<UInt8>) {
    while start < end, ASCII.isSpace(start.pointee) { start += 1 }
    while start < end, ASCII.isSpace(end[-1]) { end -= 1 }
  }

  private static func isHarmless(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
    guard start < end, end - start <= 512 else { return false }
    var position = start
    var word = start
    var quote: UInt8 = 0
    var depth = 0
    while position < end {
      let byte = position.pointee
      if quote != 0 {
        // Refuse parentheses in strings: font names have none, and careless parsers find functions there.
        if byte == quote {
          quote = 0
        } else if byte < UInt8(ascii: " ") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "<")
          || byte == UInt8(ascii: "(")
        {
          return false
        }
        position += 1
        word = position
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "("):
        guard depth == 0, functions.value(word, position - word) != 0 else { return false }
        depth = 1
      case UInt8(ascii: ")"):
        guard depth == 1 else { return false }
        depth = 0
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), 0x0C, UInt8(ascii: "\r"),
        UInt8(ascii: ","), UInt8(ascii: "/"), UInt8(ascii: "%"), UInt8(ascii: "#"), UInt8(ascii: "."),
        UInt8(ascii: "+"), UInt8(ascii: "!"):
        // A slash cannot open a comment, because the star is not allowed.
        break
      default:
        guard
          ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_") || byte >= 0x80
        else {
          return false
        }
        position += 1
        continue
      }
      position += 1
      word = position
    }
    return quote == 0 && depth == 0
  }

  /// True when no number is negative, above 400 percent, above 2000 without a unit or in `smallUnits`, or
  /// above 100 in other units.
  private static func hasBoundedNumbers(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
    var position = start
    while position < end {
      let byte = position.pointee
      guard ASCII.isDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") else {
        // Skip a word or hexadecimal colour, including its digits.
        if isWordByte(byte) || byte == UInt8(ascii: "#") {
          position += 1
          while position < end, isWordByte(position.pointee) || ASCII.isDigit(position.pointee) {
            position += 1
          }
        } else {
          position += 1
        }
        continue
      }
      if byte == UInt8(ascii: "-") {
        position += 1
        guard position < end else { return false }
        if ASCII.isDigit(position.pointee) || position.pointee == UInt8(ascii: ".") { return false }
        continue
      }
      var number = 0
      while position < end, ASCII.isDigit(position.pointee) {
        number = min(number * 10 + Int(position.pointee - UInt8(ascii: "0")), 100_000)
        position += 1
      }
      if position < end, position.pointee == UInt8(ascii: ".") { position += 1 }
      while position < end, ASCII.isDigit(position.pointee) { position += 1 }
      let unit = position
      while position < end, isWordByte(position.pointee) || ASCII.isDigit(position.pointee) { position += 1 }
      let isSmallUnit = smallUnits.value(unit, position - unit) != 0
      let isPercentage = position < end && position.pointee == UInt8(ascii: "%")
      let bound = isPercentage ? 400 : position == unit || isSmallUnit ? 2000 : 100
      if number > bound { return false }
      // Refuse exponents: `1e5px` is 100,000 pixels.
      let hasExponent =
        unit < position && ASCII.lowercase(unit.pointee) == UInt8(ascii: "e") && position > unit + 1
        && (ASCII.isDigit(unit[1]) || unit[1] == UInt8(ascii: "-"))
      if hasExponent { return false }
      if position < end, position.pointee == UInt8(ascii: "+") { return false }
    }
    return true
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte >= 0x80
  }

  /// True for `bidi-override` and `isolate-override`.
  private static func overridesDirection(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> Bool {
    let word: StaticString = "override"
    let count = word.utf8CodeUnitCount
    var position = start
    while position + count <= end {
      var matched = 0
      while matched < count, ASCII.lowercase(position[matched]) == word.utf8Start[matched] { matched += 1 }
      if matched == count { return true }
      position += 1
    }
    return false
  }

  private static let smallUnits = NameTable(["px", "pt", "mm", "deg", "grad"].map { ($0, 1) })

  private static let functions = NameTable(
    ["rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch"].map { ($0, 1) }
  )

  private static let properties = NameTable(
    """
    background background-color border border-bottom border-bottom-color border-bottom-style border-bottom-width \
    border-collapse border-color border-left border-left-color border-left-style border-left-width border-radius \
    border-right border-right-color border-right-style border-right-width border-spacing border-style border-top \
    border-top-color border-top-style border-top-width border-width caption-side clear color column-count cursor \
    direction display empty-cells float font font-family font-size font-stretch font-style font-variant font-weight \
    height hyphens letter-spacing line-height list-style list-style-position list-style-type margin margin-bottom \
    margin-left margin-right margin-top max-height max-width min-height min-width overflow overflow-wrap overflow-x \
    overflow-y padding padding-bottom padding-left padding-right padding-top quotes tab-size table-layout text-align \
    text-decoration text-indent text-transform unicode-bidi vertical-align white-space width word-break word-spacing \
    word-wrap writing-mode
    """.split(ascii: " ").map { (String($0), 1) }
  )
}
