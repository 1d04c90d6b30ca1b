/// Scripts without spaces, such as Han, kana, Hangul, Thai, Lao, Khmer and Myanmar.
///
/// A run yields one token per pair of adjacent characters. A search for one character is a prefix search for pairs. The
/// last character starts no pair, so it is also emitted alone, at the position of the last pair: a position of its own
/// would break phrases that continue after the run.
extension TokenScanner {
  /// Reads the run at `index` and emits its tokens.
  mutating func scanRun(_ emit: (TokenSlice) -> Bool) -> Bool {
    // `word` holds the current pair; `variant` is unused here.
    let pair = word
    var previousLength = 0
    var previousStart = index
    var previousEnd = index
    var characters = 0

    while index < count {
      let next = UnicodeTables.classify(base + index, count - index)
      let start = index
      var remaining = 1
      var scalar = next.scalar
      var second: UInt32 = 0
      var end = index + next.length
      switch next.kind {
      case .unspaced:
        if scalar == 0x0E4D || scalar == 0x0ECD {
          end = composeSaraAm(&scalar, &second, end)
          if second > 0 { remaining = 2 }
        } else {
          end = composeKana(&scalar, end)
        }
      case .unspacedMapped:
        scalar = UnicodeTables.replacement(at: next.place)
        end = composeKana(&scalar, end)
      case .unspacedMany:
        remaining = Int(UnicodeTables.replacement(at: next.place))
      case .jamo:
        end = composeHangul(&scalar, end)
      case .ignored, .voicing:
        index = end
        continue
      case .separator where scalar == 0x200B && characters > 0:
        // A zero-width space marks a possible line break; only some authors write it between Khmer and Thai words.
        index = end
        continue
      default:
        return finishRun(pair, previousLength, previousStart, previousEnd, characters, emit)
      }
      index = end
      for part in 1...remaining {
        if next.kind == .unspacedMany {
          scalar = UnicodeTables.replacement(at: next.place + part)
        } else if part == 2 {
          scalar = second
        }
        let length = UnicodeTables.encode(scalar, pair + previousLength)
        if previousLength > 0 {
          let bytes = UnsafeBufferPointer(start: UnsafePointer(pair), count: previousLength + length)
          let slice = TokenSlice(
            bytes: bytes,
            start: previousStart,
            end: end,
            isColocated: false,
            isLoneCharacter: false
          )
          guard emit(slice) else { return false }
          for at in 0..<length { pair[at] = pair[previousLength + at] }
        }
        characters += 1
        previousLength = length
        previousStart = start
        previousEnd = end
      }
    }
    return finishRun(pair, previousLength, previousStart, previousEnd, characters, emit)
  }

  private mutating func finishRun(
    _ bytes: UnsafePointer<UInt8>,
    _ length: Int,
    _ start: Int,
    _ end: Int,
    _ characters: Int,
    _ emit: (TokenSlice) -> Bool
  ) -> Bool {
    lastEnd = end
    guard characters == 1 || (characters > 1 && !isQuery) else { return true }
    return emit(
      TokenSlice(
        bytes: UnsafeBufferPointer(start: bytes, count: length),
        start: start,
        end: end,
        isColocated: characters > 1,
        isLoneCharacter: characters == 1
      )
    )
  }

  /// Combines the kana with a voicing mark at `end` (か and ゛ to が) and returns the end of both.
  private func composeKana(_ scalar: inout UInt32, _ end: Int) -> Int {
    guard scalar >= 0x3041, scalar <= 0x30FF, end < count, base[end] >= 0xE3 else { return end }
    let mark = UnicodeTables.classify(base + end, count - end)
    guard mark.kind == .voicing else { return end }
    let isHalf = mark.scalar == 0x309A || mark.scalar == 0x309C || mark.scalar == 0xFF9F
    // Hiragana and katakana have the same layout.
    let isKatakana = scalar >= 0x30A1
    let row = isKatakana ? scalar - 0x60 : scalar
    switch row {
    case 0x306F, 0x3072, 0x3075, 0x3078, 0x307B:
      scalar += isHalf ? 2 : 1
    case 0x304B...0x3061 where !isHalf && row & 1 == 1, 0x3064, 0x3066, 0x3068:
      if !isHalf { scalar += 1 }
    case 0x3046 where !isHalf:
      scalar = isKatakana ? 0x30F4 : 0x3094
    case 0x309D where !isHalf:
      scalar += 1
    case 0x308F...0x3092 where isKatakana && !isHalf:
      scalar += 8
    default:
      break
    }
    return end + mark.length
  }

  /// Normalizes Thai and Lao sara am, which many keyboards enter in parts: ring, optional tone mark and aa become tone
  /// mark and am. Returns the end of the parts.
  private func composeSaraAm(_ scalar: inout UInt32, _ second: inout UInt32, _ end: Int) -> Int {
    // Lao letters follow the Thai ones at a distance of 128.
    let script = scalar - 0x0E4D
    guard let next = scalarOf3(at: end) else { return end }
    if next == script + 0x0E32 {
      scalar = script + 0x0E33
      return end + 3
    }
    guard (0x0E48...0x0E4B).contains(next &- script), scalarOf3(at: end + 3) == script + 0x0E32 else {
      return end
    }
    scalar = next
    second = script + 0x0E33
    return end + 6
  }

  /// Returns the scalar at `offset` if its encoding has 3 bytes.
  private func scalarOf3(at offset: Int) -> UInt32? {
    guard offset < count else { return nil }
    let (scalar, length) = UnicodeTables.decode(base + offset, count - offset)
    return length == 3 ? scalar : nil
  }

  /// Combines the letters of a decomposed Hangul syllable (Unicode Standard, section 3.12).
  private func composeHangul(_ scalar: inout UInt32, _ end: Int) -> Int {
    guard scalar >= 0x1100, scalar <= 0x1112, let vowel = jamo(at: end, 0x1161...0x1175) else { return end }
    scalar = 0xAC00 + ((scalar - 0x1100) * 21 + vowel - 0x1161) * 28
    guard let tail = jamo(at: end + 3, 0x11A8...0x11C2) else { return end + 3 }
    scalar += tail - 0x11A7
    return end + 6
  }

  private func jamo(at offset: Int, _ range: ClosedRange<UInt32>) -> UInt32? {
    guard offset < count else { return nil }
    let (scalar, _) = UnicodeTables.decode(base + offset, count - offset)
    return range.contains(scalar) ? scalar : nil
  }
}
