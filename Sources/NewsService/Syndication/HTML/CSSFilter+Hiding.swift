import NewsToolbox

/// Detects styles that hide an element.
extension CSSFilter {
  /// False when the style cannot hide an element, because it has neither the `y` of `display` and `visibility` nor a
  /// sign that may encode one: a CSS escape or an HTML character reference. Most styles end here.
  static func mayHide(_ style: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = style.baseAddress else { return false }
    let end = start + style.count
    return ByteScan.find(UInt8(ascii: "y"), start, end) != nil
      || ByteScan.find(UInt8(ascii: "Y"), start, end) != nil
      || ByteScan.find(UInt8(ascii: "\\"), start, end) != nil
      || ByteScan.find(UInt8(ascii: "&"), start, end) != nil
  }

  /// True when the last `display` of the style is `none`, or its last `visibility` is `hidden`.
  static func hides(_ style: UnsafeBufferPointer<UInt8>) -> Bool {
    guard style.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "*") }) else {
      return hides(plain: style)
    }
    return withoutCommentsAndEscapes(style).withUnsafeBufferPointer(hides(plain:))
  }

  private static func hides(plain style: UnsafeBufferPointer<UInt8>) -> Bool {
    guard var position = style.baseAddress else { return false }
    let end = position + style.count
    var isRemoved = false
    var isInvisible = false
    while position < end {
      var declarationEnd = ByteScan.find(UInt8(ascii: ";"), position, end) ?? end
      let next = declarationEnd + 1
      trim(&position, &declarationEnd)
      if let colon = ByteScan.find(UInt8(ascii: ":"), position, declarationEnd) {
        var nameEnd = colon
        while nameEnd > position, ASCII.isSpace(nameEnd[-1]) { nameEnd -= 1 }
        var value = colon + 1
        trim(&value, &declarationEnd)
        var valueEnd = value
        while valueEnd < declarationEnd, isWordByte(valueEnd.pointee) || ASCII.isDigit(valueEnd.pointee) {
          valueEnd += 1
        }
        if equals(position, nameEnd, "display") {
          isRemoved = equals(value, valueEnd, "none")
        } else if equals(position, nameEnd, "visibility") {
          isInvisible = equals(value, valueEnd, "hidden")
        }
      }
      position = next
    }
    return isRemoved || isInvisible
  }

  /// Replaces each comment by a space and each escape by its character (CSS Syntax, sections 4.3.2 and 4.3.7). An
  /// escaped character that is not a letter becomes a byte beyond ASCII: it delimits nothing.
  private static func withoutCommentsAndEscapes(_ style: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(style.count)
    var quote: UInt8?
    var index = 0
    while index < style.count {
      let byte = style[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\\"):
        result.append(escaped(style, &index))
      case UInt8(ascii: "/") where quote == nil && index < style.count && style[index] == UInt8(ascii: "*"):
        index += 1
        while index + 1 < style.count,
          style[index] != UInt8(ascii: "*") || style[index + 1] != UInt8(ascii: "/")
        {
          index += 1
        }
        index += 2
        result.append(UInt8(ascii: " "))
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if quote == nil { quote = byte } else if quote == byte { quote = nil }
        result.append(byte)
      default:
        result.append(byte)
      }
    }
    return result
  }

  /// Reads the escape after a backslash and moves `index` after it.
  private static func escaped(_ style: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt8 {
    let start = index
    var value: UInt32 = 0
    while index < style.count, index - start < 6, let digit = ASCII.hexValue(style[index]) {
      value = value << 4 | UInt32(digit)
      index += 1
    }
    if index > start {
      if index < style.count, ASCII.isSpace(style[index]) { index += 1 }
    } else if index < style.count {
      value = UInt32(style[index])
      index += 1
    }
    guard value < 0x80, ASCII.isLetter(UInt8(value)) else { return 0x80 }
    return UInt8(value)
  }
}
