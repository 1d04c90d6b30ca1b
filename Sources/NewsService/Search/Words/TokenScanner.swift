import NewsToolbox

/// The state of one run of `WordTokenizer` over a text.
///
/// Uses pointers instead of arrays for speed: it processes every byte that is stored.
struct TokenScanner {
  /// Bytes of a word that are kept; the rest of a longer word is dropped.
  static let maximumLength = 96

  let base: UnsafePointer<UInt8>
  let count: Int
  let isQuery: Bool
  /// The folded word being read. It starts at index 1, so that a sigil fits before it.
  let word: UnsafeMutablePointer<UInt8>
  /// The variant of the word with ä as ae; used when `variantLength` is above 0.
  let variant: UnsafeMutablePointer<UInt8>

  var index = 0
  var length = 1
  var variantLength = 0
  /// End of the last token in the source.
  var lastEnd = -1
  /// Parts up to this offset are already joined to one token (`6.3.1`).
  var joinedUntil = 0

  mutating func run(_ emit: (TokenSlice) -> Bool) -> Bool {
    let fold = ASCII.folded
    while index < count {
      let byte = base[index]
      if byte < 0x80 {
        if fold[Int(byte)] != ASCII.border {
          guard scanWord(sigil: 0, emit) else { return false }
        } else if isSigil(byte) {
          index += 1
          guard scanWord(sigil: byte, emit) else { return false }
        } else {
          index += 1
        }
        continue
      }
      let next = UnicodeTables.classify(base + index, count - index)
      switch next.kind {
      case .letter, .mapped, .mappedMany, .variant:
        guard scanWord(sigil: 0, emit) else { return false }
      case .unspaced, .unspacedMapped, .unspacedMany, .jamo:
        guard scanRun(emit) else { return false }
      case .symbol, .regional:
        guard emitSymbol(next, emit) else { return false }
      case .fraction:
        guard emitFraction(next, emit) else { return false }
      case .separator, .ignored, .composing, .apostrophe, .nonJoiner, .voicing:
        index += next.length
      }
    }
    return true
  }

  /// True for the sigil of `#tag`, `@name`, `$AAPL` and `.NET`, which belongs to the word after it.
  private func isSigil(_ byte: UInt8) -> Bool {
    guard
      byte == UInt8(ascii: "#") || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "$")
        || byte == UInt8(ascii: "."), index + 1 < count, lastEnd != index
    else { return false }
    let next = base[index + 1]
    if byte != UInt8(ascii: ".") { return next >= 0x80 || ASCII.isWord(next) }
    guard ASCII.isLetter(next) else { return false }
    guard index > 0 else { return true }
    // Exclude `../x`, `...and` and `*.txt`.
    let previous = base[index - 1]
    return previous <= UInt8(ascii: " ") || previous == UInt8(ascii: "(") || previous == UInt8(ascii: "\"")
      || previous == UInt8(ascii: "'")
  }

  /// Reads the word at `index` and emits all its forms.
  private mutating func scanWord(sigil: UInt8, _ emit: (TokenSlice) -> Bool) -> Bool {
    let start = index
    readWord()
    guard length > 1 else {
      // There is nothing to emit: a sigil without a word, or a word that consists of dropped marks.
      if index == start, sigil == 0 { index += 1 }
      return true
    }
    let end = index
    lastEnd = end
    if sigil == 0 {
      if end == count { return emitWord(from: start, to: end, emit) }
      let next = base[end]
      if next == UInt8(ascii: " ") || next == UInt8(ascii: "\n") {
        // `100 %` equals `100%`; any other word before a space has no suffix. Most words end here.
        if word[length - 1] > UInt8(ascii: "9") || end + 1 >= count || base[end + 1] != UInt8(ascii: "%") {
          return emitWord(from: start, to: end, emit)
        }
      }
      return emitJoined(from: start, to: end, next, emit)
    }
    if !isQuery {
      guard emitWord(from: start, to: end, emit) else { return false }
    }
    word[0] = sigil
    guard emitForm(word, length, start - 1, end, isColocated: !isQuery, emit) else { return false }
    guard variantLength > 0 else { return true }
    variant[0] = sigil
    return emitForm(variant, variantLength, start - 1, end, isColocated: true, emit)
  }

  /// Reads a word into `word` (and `variant`) and moves `index` after it.
  private mutating func readWord() {
    length = 1
    variantLength = 0
    continueWord()
  }

  /// Appends to the word up to the next border.
  mutating func continueWord() {
    var at = index
    let limit = Self.maximumLength
    while true {
      // Fast path: a run of ASCII letters and digits.
      let fold = ASCII.folded
      let target = word + (length - at)
      let stop = min(count, at + max(0, limit - length))
      let runStart = at
      while at < stop {
        let folded = fold[Int(base[at])]
        if folded == ASCII.border { break }
        target[at] = folded
        at += 1
      }
      if variantLength > 0 {
        for i in runStart..<at { append(variant, &variantLength, fold[Int(base[i])]) }
      }
      length += at - runStart
      if at == stop {
        while at < count, fold[Int(base[at])] != ASCII.border { at += 1 }
      }
      guard at < count else { break }
      let byte = base[at]
      if byte < 0x80 {
        guard byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\""),
          isInsideForeignWord(at, length: 1, byte)
        else { break }
        at += 1
        continue
      }
      let next = UnicodeTables.classify(base + at, count - at)
      guard appendScalar(next, at) else { break }
      at += next.length
    }
    index = at
  }

  /// Appends a non-ASCII scalar to the word; returns false when the word ends before it.
  private mutating func appendScalar(_ next: ClassifiedScalar, _ at: Int) -> Bool {
    let hasRoom = length < Self.maximumLength
    switch next.kind {
    case .letter:
      guard hasRoom else { return true }
      (word + length).update(from: base + at, count: next.length)
      length += next.length
      // Append the whole encoding or nothing.
      if variantLength > 0, variantLength < Self.maximumLength {
        (variant + variantLength).update(from: base + at, count: next.length)
        variantLength += next.length
      }
    case .mapped:
      guard hasRoom else { return true }
      appendBoth(UnicodeTables.replacement(at: next.place))
    case .mappedMany:
      guard hasRoom else { return true }
      let many = Int(UnicodeTables.replacement(at: next.place))
      // 18 scalars at most; only a few ligatures have more than 4.
      for i in 1...many where length < Self.maximumLength {
        appendBoth(UnicodeTables.replacement(at: next.place + i))
      }
    case .variant:
      guard hasRoom else { return true }
      appendVariant(
        UInt8(truncatingIfNeeded: UnicodeTables.replacement(at: next.place)),
        UInt8(truncatingIfNeeded: UnicodeTables.replacement(at: next.place + 1))
      )
    case .composing:
      guard hasRoom else { return true }
      compose(with: next.scalar)
    case .ignored:
      break
    case .voicing:
      return false
    case .apostrophe:
      return isInsideForeignWord(at, length: next.length, UInt8(ascii: "'"))
    case .nonJoiner:
      // Persian words such as می‌خواهم are also written with a space or without a separator; in other scripts the
      // non-joiner only affects shaping.
      return !endsInArabic
    case .separator, .unspaced, .unspacedMapped, .unspacedMany, .symbol, .regional, .jamo, .fraction:
      return false
    }
    return true
  }

  /// True when the last letter of the word is Arabic script.
  var endsInArabic: Bool { length > 2 && word[length - 2] & 0xFC == 0xD8 }

  private mutating func appendBoth(_ scalar: UInt32) {
    if variantLength > 0, variantLength < Self.maximumLength {
      variantLength += UnicodeTables.encode(scalar, variant + variantLength)
    }
    length += UnicodeTables.encode(scalar, word + length)
  }

  private func append(_ buffer: UnsafeMutablePointer<UInt8>, _ length: inout Int, _ byte: UInt8) {
    // Allow up to 3 bytes beyond the limit, so that no scalar is truncated.
    guard length < Self.maximumLength + 3 else { return }
    buffer[length] = byte
    length += 1
  }

  /// Appends a letter such as ä: `a` to the word, `ae` to its variant.
  private mutating func appendVariant(_ letter: UInt8, _ second: UInt8) {
    beginVariant()
    append(variant, &variantLength, letter)
    append(variant, &variantLength, second)
    word[length] = letter
    length += 1
  }

  private mutating func beginVariant() {
    guard variantLength == 0 else { return }
    (variant + 1).update(from: word + 1, count: length - 1)
    variantLength = length
  }

  /// Applies a combining mark to the last letter: diaeresis and ring create variants, й and similar letters are
  /// composed, other marks are dropped.
  private mutating func compose(with mark: UInt32) {
    guard length > 1 else { return }
    let last = word[length - 1]
    if last < 0x80 {
      let isDotted = mark == 0x0308 && (last == 0x61 || last == 0x6F || last == 0x75)
      let isRinged = mark == 0x030A && last == 0x61
      guard isDotted || isRinged else { return }
      beginVariant()
      append(variant, &variantLength, isDotted ? UInt8(ascii: "e") : UInt8(ascii: "a"))
      return
    }
    guard length > 2, word[length - 2] & 0xFC == 0xD0 else { return }
    let letter = UInt32(word[length - 2] & 0x1F) << 6 | UInt32(last & 0x3F)
    let composed: UInt32
    switch (letter, mark) {
    case (0x0438, 0x0306): composed = 0x0439
    case (0x0443, 0x0306): composed = 0x045E
    case (0x0456, 0x0308): composed = 0x0457
    case (0x0433, 0x0301): composed = 0x0453
    case (0x043A, 0x0301): composed = 0x045C
    default: return
    }
    length -= 2
    length += UnicodeTables.encode(composed, word + length)
  }

  /// True for an apostrophe between Cyrillic letters (п'ять) and for a gershayim typed as `"` between Hebrew letters:
  /// both belong to the word.
  private func isInsideForeignWord(_ at: Int, length: Int, _ byte: UInt8) -> Bool {
    guard at >= index + 2, at + length + 1 < count else { return false }
    let before = base[at - 2]
    let after = base[at + length]
    if before == 0xD7, after == 0xD7 { return true }
    return byte == UInt8(ascii: "'") && before & 0xFC == 0xD0 && after & 0xFC == 0xD0
  }

  /// Emits the word and its variant.
  @inline(__always)
  func emitWord(
    from start: Int,
    to end: Int,
    isColocated: Bool = false,
    _ emit: (TokenSlice) -> Bool
  ) -> Bool {
    let slice = TokenSlice(
      bytes: UnsafeBufferPointer(start: word + 1, count: length - 1),
      start: start,
      end: end,
      isColocated: isColocated,
      isLoneCharacter: false
    )
    guard emit(slice) else { return false }
    guard variantLength > 0 else { return true }
    return emitForm(variant + 1, variantLength - 1, start, end, isColocated: true, emit)
  }

  func emitForm(
    _ bytes: UnsafePointer<UInt8>,
    _ length: Int,
    _ start: Int,
    _ end: Int,
    isColocated: Bool,
    _ emit: (TokenSlice) -> Bool
  ) -> Bool {
    emit(
      TokenSlice(
        bytes: UnsafeBufferPointer(start: bytes, count: length),
        start: start,
        end: end,
        isColocated: isColocated,
        isLoneCharacter: false
      )
    )
  }

  /// Emits an emoji, or a flag of two regional indicators.
  private mutating func emitSymbol(_ first: ClassifiedScalar, _ emit: (TokenSlice) -> Bool) -> Bool {
    let start = index
    index += first.length
    if first.kind == .regional, index < count {
      let second = UnicodeTables.classify(base + index, count - index)
      if second.kind == .regional { index += second.length }
    }
    lastEnd = index
    return emitForm(base + start, index - start, start, index, isColocated: false, emit)
  }

  /// Emits ½ like the two words of `1/2`.
  private mutating func emitFraction(_ sign: ClassifiedScalar, _ emit: (TokenSlice) -> Bool) -> Bool {
    let start = index
    index += sign.length
    lastEnd = index
    for number in 0..<2 {
      let value = UnicodeTables.replacement(at: sign.place + number)
      // ⅟ has no denominator, which the table stores as 0. The only two-digit number is the denominator 10.
      guard number == 0 || value > 0 else { break }
      length = 1
      if value > 9 { length += UnicodeTables.encode(UInt32(UInt8(ascii: "0")) + value / 10, word + length) }
      length += UnicodeTables.encode(UInt32(UInt8(ascii: "0")) + value % 10, word + length)
      guard emitForm(word + 1, length - 1, start, index, isColocated: false, emit) else { return false }
    }
    return true
  }
}

/// Classes of ASCII bytes in words.
extension ASCII {
  /// Each byte folded to lower case; `border` for bytes that belong to no word, including all bytes from 0x80.
  @inline(__always)
  static var folded: UnsafePointer<UInt8> { UnicodeTables.ascii.utf8Start }
  static let border = UInt8(ascii: "_")

  @inline(__always)
  static func isWord(_ byte: UInt8) -> Bool { folded[Int(byte)] != border }
}
