/// The role of a Unicode scalar in words. The raw values are those of tools/generate-tables.py.
enum CharacterClass: UInt8 {
  /// Separates words.
  case separator
  /// A letter or digit that is folded to itself.
  case letter
  /// A letter or digit that is folded to another scalar.
  case mapped
  /// A letter that is folded to several scalars.
  case mappedMany
  /// An accent, vowel point or joiner, which is dropped.
  case ignored
  /// An accent that is kept after some letters, because й is not и.
  case composing
  /// A character of a script written without spaces.
  case unspaced
  case unspacedMapped
  case unspacedMany
  /// An emoji or other symbol that is a word of its own.
  case symbol
  /// A regional indicator; two form a flag.
  case regional
  /// A Hangul letter that combines with others to a syllable.
  case jamo
  case apostrophe
  /// U+200C: separates parts of words in Arabic script, dropped in other scripts.
  case nonJoiner
  /// A letter with two spellings in ASCII: ä is written a or ae.
  case variant
  /// A Japanese voicing mark.
  case voicing
  /// A fraction such as ½: two numbers; the second is 0 if there is no denominator.
  case fraction
}

/// A scalar decoded from UTF-8, with its entry in the tables.
struct ClassifiedScalar {
  var scalar: UInt32
  /// Length in bytes; 1 for an invalid byte.
  var length: Int
  var kind: CharacterClass
  /// Index in `UnicodeTables.pool`.
  var place: Int
}

extension UnicodeTables {
  /// Decodes and classifies the first of `count` bytes (at least 1). Invalid bytes are separators of length 1.
  @inline(__always)
  static func classify(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> ClassifiedScalar {
    let (scalar, length) = decode(bytes, count)
    guard scalar < limit else {
      // Tags and variation selectors of plane 14 are ignored.
      let isIgnored = scalar >= 0xE0000 && scalar < 0xE01F0
      return ClassifiedScalar(
        scalar: scalar,
        length: length,
        kind: isIgnored ? .ignored : .separator,
        place: 0
      )
    }
    // Hangul syllables need no look-up. Chinese does, because traditional characters are mapped.
    if scalar >= 0xAC00 && scalar < 0xD7A4 {
      return ClassifiedScalar(scalar: scalar, length: length, kind: .unspaced, place: 0)
    }
    let stage = blocks.utf8Start + Int(scalar >> 4) * 2
    let block = sextet(stage[0]) << 6 | sextet(stage[1])
    let cell = entries.utf8Start + (block << 4 | Int(scalar & 15)) * 3
    let value = sextet(cell[0]) << 12 | sextet(cell[1]) << 6 | sextet(cell[2])
    return ClassifiedScalar(
      scalar: scalar,
      length: length,
      kind: CharacterClass(rawValue: UInt8(truncatingIfNeeded: value >> 13)) ?? .separator,
      place: value & 0x1FFF
    )
  }

  /// Returns the number or scalar at an index of the pool.
  @inline(__always)
  static func replacement(at place: Int) -> UInt32 {
    let cell = pool.utf8Start + place * 4
    return UInt32(sextet(cell[0]) << 18 | sextet(cell[1]) << 12 | sextet(cell[2]) << 6 | sextet(cell[3]))
  }

  @inline(__always)
  private static func sextet(_ byte: UInt8) -> Int { Int(byte &- 48) }

  /// The result of `decode` for an invalid byte.
  static let invalid: UInt32 = 0x11_0000

  /// Decodes strict UTF-8 (RFC 3629): no overlong forms, no surrogates, no truncated sequences.
  @inline(__always)
  static func decode(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> (scalar: UInt32, length: Int) {
    let b0 = UInt32(bytes[0])
    if b0 < 0x80 { return (b0, 1) }
    guard b0 >= 0xC2, count > 1 else { return (invalid, 1) }
    let b1 = UInt32(bytes[1])
    guard b1 & 0xC0 == 0x80 else { return (invalid, 1) }
    if b0 < 0xE0 { return ((b0 & 0x1F) << 6 | b1 & 0x3F, 2) }
    guard count > 2, bytes[2] & 0xC0 == 0x80 else { return (invalid, 1) }
    let b2 = UInt32(bytes[2])
    if b0 < 0xF0 {
      let scalar = (b0 & 0x0F) << 12 | (b1 & 0x3F) << 6 | b2 & 0x3F
      guard scalar >= 0x800, scalar & 0xF800 != 0xD800 else { return (invalid, 1) }
      return (scalar, 3)
    }
    guard b0 < 0xF5, count > 3, bytes[3] & 0xC0 == 0x80 else { return (invalid, 1) }
    let scalar = (b0 & 0x07) << 18 | (b1 & 0x3F) << 12 | (b2 & 0x3F) << 6 | UInt32(bytes[3]) & 0x3F
    guard scalar >= 0x1_0000, scalar < 0x11_0000 else { return (invalid, 1) }
    return (scalar, 4)
  }

  /// Encodes `scalar` as UTF-8 and returns the number of bytes, at most 4.
  @inline(__always)
  static func encode(_ scalar: UInt32, _ out: UnsafeMutablePointer<UInt8>) -> Int {
    if scalar < 0x80 {
      out[0] = UInt8(truncatingIfNeeded: scalar)
      return 1
    }
    if scalar < 0x800 {
      out[0] = UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6)
      out[1] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
      return 2
    }
    if scalar < 0x1_0000 {
      out[0] = UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
      out[1] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F)
      out[2] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
      return 3
    }
    out[0] = UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18)
    out[1] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 12 & 0x3F)
    out[2] = UInt8(truncatingIfNeeded: 0x80 | scalar >> 6 & 0x3F)
    out[3] = UInt8(truncatingIfNeeded: 0x80 | scalar & 0x3F)
    return 4
  }
}
