import NewsToolbox

/// Measures text in columns of a terminal.
///
/// Measures by grapheme cluster: an emoji of several scalars takes two columns, a combining accent none.
public struct DisplayWidth: Hashable, Sendable {
  /// True: characters of ambiguous width take two columns, as in East Asian fonts (Unicode Standard Annex 11).
  public var ambiguousIsWide: Bool

  public init(ambiguousIsWide: Bool = false) { self.ambiguousIsWide = ambiguousIsWide }

  /// Columns of a whole text.
  public func columns(_ text: String) -> Int {
    // Most text is printable ASCII, which takes one column per byte.
    let ascii = text.withBytes { bytes in bytes.allSatisfy { $0 < 0x80 } ? bytes.count : nil }
    if let ascii { return ascii }
    return text.reduce(0) { $0 + columns($1) }
  }

  package func columns(_ cluster: Character) -> Int {
    var sum = 0
    var joinsPictures = false
    var scalars = cluster.unicodeScalars.makeIterator()
    guard let first = scalars.next() else { return 0 }
    sum = columns(first)
    var previous = first
    while let scalar = scalars.next() {
      defer { previous = scalar }
      switch scalar.value {
      // A skin tone modifies the emoji before it; elsewhere it is an emoji of its own.
      case 0x1F3FB...0x1F3FF where previous.properties.isEmojiModifierBase: break
      // Variation selector 16 selects the emoji form. A zero-width joiner makes one emoji of two.
      case 0xFE0F: return 2
      case 0x200D: joinsPictures = sum == 2 || joinsPictures
      // Two regional indicators form one flag.
      case 0x1F1E6...0x1F1FF: return 2
      default: sum += columns(scalar)
      }
    }
    return joinsPictures ? 2 : sum
  }

  func columns(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 {
      if value < 0x20 || (0x7F...0x9F).contains(value) { return 0 }
      if value < 0xA1 || !ambiguousIsWide { return 1 }
    }
    if Self.contains(DisplayWidthTable.zero, value) { return 0 }
    if Self.contains(DisplayWidthTable.wide, value) { return 2 }
    return ambiguousIsWide && Self.contains(DisplayWidthTable.ambiguous, value) ? 2 : 1
  }

  /// Truncates `text` to `limit` columns, and ends it with an ellipsis if it was longer.
  public func fit(_ text: String, into limit: Int) -> (text: String, columns: Int) {
    let whole = columns(text)
    guard whole > limit else { return (text, whole) }
    let ellipsis = columns("…")
    guard limit >= ellipsis else { return ("", 0) }
    var used = 0
    var end = text.startIndex
    for index in text.indices {
      let next = columns(text[index])
      if used + next > limit - ellipsis { break }
      used += next
      end = text.index(after: index)
    }
    return (text[..<end] + "…", used + ellipsis)
  }

  /// Binary search in sorted ranges, stored as pairs of first and last.
  private static func contains(_ pairs: [UInt32], _ value: UInt32) -> Bool {
    var low = 0
    var high = pairs.count / 2
    while low < high {
      let middle = (low + high) / 2
      if value < pairs[2 * middle] {
        high = middle
      } else if value > pairs[2 * middle + 1] {
        low = middle + 1
      } else {
        return true
      }
    }
    return false
  }
}
