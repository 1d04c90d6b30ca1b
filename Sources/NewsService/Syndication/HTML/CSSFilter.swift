/// Keeps of a `style` attribute what cannot load, run or cover anything.
///
/// A declaration stays when its property is known and its value has nothing but plain words, numbers, colours and
/// quoted font names: no escapes, comments, URLs or functions other than those that name a colour.
enum CSSFilter {
  /// Appends the declarations that stay, as `name: value; name: value`; appends nothing when none does.
  static func filter(_ style: UnsafeBufferPointer<UInt8>, into output: inout ByteBuffer) {
    guard var position = style.baseAddress else { return }
    let end = position + style.count
    let first = output.count
    while position < end {
      // Declarations end at semicolons; one inside quotes or parentheses ends it too, and what is left of either
      // has an unpaired quote or parenthesis and is refused.
      let declarationEnd = ByteScan.find(0x3B, position, end) ?? end
      declaration(position, declarationEnd, first: first, into: &output)
      position = declarationEnd + 1
    }
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
    guard let colon = ByteScan.find(0x3A, start, end) else { return }
    var nameEnd = colon
    while nameEnd > start, ASCII.isSpace(nameEnd[-1]) { nameEnd -= 1 }
    guard properties.value(start, nameEnd - start) != 0 else { return }
    var value = colon + 1
    trim(&value, &end)
    guard isHarmless(value, end) else { return }
    if output.count > first { output.append("; ") }
    var name = start
    while name < nameEnd {
      output.append(ASCII.lowercase(name.pointee))
      name += 1
    }
    output.append(": ")
    output.append(value, end - value)
  }

  private static func trim(_ start: inout UnsafePointer<UInt8>, _ end: inout UnsafePointer<UInt8>) {
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
        // No font's name has a parenthesis, and who reads styles carelessly sees functions in strings too.
        if byte == quote {
          quote = 0
        } else if byte < 0x20 || [0x5C, 0x3C, 0x28].contains(byte) {
          return false
        }
        position += 1
        word = position
        continue
      }
      switch byte {
      case 0x22, 0x27: quote = byte
      case 0x28:
        guard depth == 0, functions.value(word, position - word) != 0 else { return false }
        depth = 1
      case 0x29:
        guard depth == 1 else { return false }
        depth = 0
      case 0x20, 0x09, 0x0A, 0x0C, 0x0D, 0x2C, 0x2F, 0x25, 0x23, 0x2E, 0x2B, 0x21:
        // A slash followed by a star would open a comment; the star is not among the allowed bytes.
        break
      default:
        guard ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x2D || byte == 0x5F || byte >= 0x80
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
    """.split(separator: " ").map { (String($0), 1) }
  )
}
