import NewsToolbox

/// Words that include punctuation: `C++`, `100%`, `6.3.1`, `AT&T`, `don't`, `e-mail`.
///
/// A document yields the plain word, and the joined form at the same position. A query yields only the joined
/// form of `C++`, `100%`, `6.3.1` and `AT&T`, because the query must find that form, but the parts of `don't`
/// and `e-mail`. In both, later parts have their own positions, so that phrases around them match.
extension TokenScanner {
  /// Emits the word that ends at `end`. The byte after it, `next`, may join the word to the following text.
  mutating func emitJoined(
    from start: Int,
    to end: Int,
    _ next: UInt8,
    _ emit: (TokenSlice) -> Bool
  ) -> Bool {
    let plain = length
    switch next {
    case UInt8(ascii: "+") where !ASCII.isDigit(word[1]):  // C++, Disney+
      let isDouble = byte(at: end + 1) == UInt8(ascii: "+")
      if isDouble || !isWordByte(at: end + 1) {
        return emitSuffixed(start, end, isDouble ? 2 : 1, next, emit)
      }
    case UInt8(ascii: "#") where !ASCII.isDigit(word[1]) && !isWordByte(at: end + 1):  // C#
      return emitSuffixed(start, end, 1, next, emit)
    case _ where ASCII.isDigit(word[length - 1]) && percentWidth(at: end) > 0:  // 100%, 100 %
      return emitSuffixed(start, end, percentWidth(at: end), UInt8(ascii: "%"), emit)
    case 0xE2 where !isQuery && variantLength == 0 && end > joinedUntil && isNonJoiner(at: end):  // می‌خواهم
      return emitUnbroken(from: start, to: end, emit)
    case UInt8(ascii: ".") where end > joinedUntil:  // 6.3.1
      guard ASCII.isDigit(word[length - 1]), ASCII.isDigit(byte(at: end + 1)) else { break }
      return emitNumber(from: start, to: end, emit)
    case UInt8(ascii: "&") where end > joinedUntil && variantLength == 0 && plain < 10:  // AT&T
      let stop = wordEnd(after: end + 1)
      guard stop - end > 1, stop - end < 10, ASCII.isLetter(byte(at: end + 1)), ASCII.isLetter(word[1]) else {
        break
      }
      joinedUntil = stop
      if !isQuery {
        guard emitWord(from: start, to: end, emit) else { return false }
      }
      word[length] = UInt8(ascii: "&")
      length += 1
      appendParts(from: end + 1, to: stop)
      return emitForm(word + 1, length - 1, start, stop, isColocated: !isQuery, emit)
    case UInt8(ascii: "'"), 0xE2:  // don't, O'Reilly
      let width =
        next == UInt8(ascii: "'") ? 1 : byte(at: end + 1) == 0x80 && byte(at: end + 2) == 0x99 ? 3 : 0
      guard width > 0, !isQuery, variantLength == 0, plain < Self.maximumLength else { break }
      let stop = wordEnd(after: end + width)
      let tail = stop - end - width
      let isShort = tail == 1 && base[end + width] | 0x20 != UInt8(ascii: "s") || tail == 2
      guard isShort || (plain == 2 && word[1] == UInt8(ascii: "o") && tail > 2 && tail < 24) else { break }
      return emitJoinedPair(from: start, to: end, second: end + width, stop, emit)
    case UInt8(ascii: "-"):  // e-mail, also indexed as email
      guard !isQuery, end > joinedUntil, variantLength == 0, plain < 32 else { break }
      let stop = wordEnd(after: end + 1)
      guard stop - end > 1, stop - end < 32 else { break }
      // Chains such as `state-of-the-art` are not joined: skip all parts at once.
      var chainEnd = stop
      while byte(at: chainEnd) == UInt8(ascii: "-") {
        let partEnd = wordEnd(after: chainEnd + 1)
        guard partEnd > chainEnd + 1 else { break }
        chainEnd = partEnd
      }
      joinedUntil = chainEnd
      guard chainEnd == stop, byte(at: stop) < 0x80, ASCII.isLetter(word[1]) else { break }
      return emitJoinedPair(from: start, to: end, second: end + 1, stop, emit)
    default:
      break
    }
    return emitWord(from: start, to: end, emit)
  }

  /// Emits the word with its suffix `mark` (twice for `++`), which takes `width` bytes of the source.
  private mutating func emitSuffixed(
    _ start: Int,
    _ end: Int,
    _ width: Int,
    _ mark: UInt8,
    _ emit: (TokenSlice) -> Bool
  ) -> Bool {
    if !isQuery {
      guard emitWord(from: start, to: end, emit) else { return false }
    }
    index = end + width
    lastEnd = index
    let marks = mark == UInt8(ascii: "+") ? width : 1
    for _ in 0..<marks {
      word[length] = mark
      length += 1
      if variantLength > 0 {
        variant[variantLength] = mark
        variantLength += 1
      }
    }
    return emitWord(from: start, to: index, isColocated: !isQuery, emit)
  }

  /// Emits a number with dots: `6.3.1` yields `6`, `3`, `1` and, at the position of `6`, `6.3` and `6.3.1`. The `v` of
  /// `v6.3.1` is dropped.
  private mutating func emitNumber(
    from start: Int,
    to end: Int,
    _ emit: (TokenSlice) -> Bool
  ) -> Bool {
    if word[1] == UInt8(ascii: "v"), length > 2, variantLength == 0, isNumber(from: 2) {
      (word + 1).update(from: word + 2, count: length - 2)
      length -= 1
    }
    if !isQuery {
      guard emitWord(from: start, to: end, emit) else { return false }
    }
    var stop = end
    var parts = 0
    while parts < 4, byte(at: stop) == UInt8(ascii: "."), ASCII.isDigit(byte(at: stop + 1)) {
      let partEnd = wordEnd(after: stop + 1)
      guard partEnd > stop + 1, length + partEnd - stop < Self.maximumLength + 32 else { break }
      word[length] = UInt8(ascii: ".")
      length += 1
      appendParts(from: stop + 1, to: partEnd)
      if variantLength > 0 { variantLength = 0 }
      stop = partEnd
      parts += 1
      guard !isQuery else { continue }
      guard emitForm(word + 1, length - 1, start, stop, isColocated: true, emit) else { return false }
    }
    joinedUntil = stop
    guard isQuery else { return true }
    return emitWord(from: start, to: stop, emit)
  }

  /// Emits the word and, at the same position, the word joined with the next one.
  private mutating func emitJoinedPair(
    from start: Int,
    to end: Int,
    second: Int,
    _ stop: Int,
    _ emit: (TokenSlice) -> Bool
  ) -> Bool {
    guard emitWord(from: start, to: end, emit) else { return false }
    appendParts(from: second, to: stop)
    return emitForm(word + 1, length - 1, start, stop, isColocated: true, emit)
  }

  /// Emits the word and, at the same position, the word joined with the parts after non-joiners, as many people type
  /// it: نمی‌خواهم.
  private mutating func emitUnbroken(
    from start: Int,
    to end: Int,
    _ emit: (TokenSlice) -> Bool
  ) -> Bool {
    guard emitWord(from: start, to: end, emit) else { return false }
    let plain = length
    var stop = end
    while isNonJoiner(at: index), endsInArabic {
      index += 3
      let before = length
      continueWord()
      if length > before { stop = index }
    }
    index = end
    joinedUntil = stop
    guard length > plain else { return true }
    return emitForm(word + 1, length - 1, start, stop, isColocated: true, emit)
  }

  private mutating func appendParts(from: Int, to: Int) {
    for at in from..<to {
      word[length] = ASCII.folded[Int(base[at])]
      length += 1
    }
  }

  private func isNonJoiner(at offset: Int) -> Bool {
    byte(at: offset) == 0xE2 && byte(at: offset + 1) == 0x80 && byte(at: offset + 2) == 0x8C
  }

  /// Returns the length in bytes of a percent sign at `offset`, with an optional (also no-break) space before it; 0 if
  /// there is no percent sign.
  private func percentWidth(at offset: Int) -> Int {
    let space =
      switch (byte(at: offset), byte(at: offset + 1), byte(at: offset + 2)) {
      case (UInt8(ascii: "%"), _, _): 0
      case (UInt8(ascii: " "), _, _): 1
      case (0xC2, 0xA0, _): 2
      case (0xE2, 0x80, 0xAF), (0xE2, 0x80, 0x89): 3
      default: -1
      }
    return space >= 0 && byte(at: offset + space) == UInt8(ascii: "%") ? space + 1 : 0
  }

  private func isNumber(from first: Int) -> Bool {
    for at in first..<length where !ASCII.isDigit(word[at]) { return false }
    return true
  }

  /// Returns the byte at `offset` of the source, 0 beyond the end.
  private func byte(at offset: Int) -> UInt8 { offset < count ? base[offset] : 0 }

  private func isWordByte(at offset: Int) -> Bool {
    offset < count && (base[offset] >= 0x80 || ASCII.isWord(base[offset]))
  }

  /// Returns the end of the ASCII word that starts at `offset`. Returns `offset` if there is no word, or if a non-ASCII
  /// byte follows.
  private func wordEnd(after offset: Int) -> Int {
    var at = offset
    while at < count, at - offset < 32, ASCII.isWord(base[at]) { at += 1 }
    if at < count, base[at] >= 0x80 || ASCII.isWord(base[at]) { return offset }
    return at
  }
}
