import NewsToolbox

/// Tests whether one text occurs in another, by comparing runs of four words.
///
/// Publishers shorten, join and decorate the beginnings of their articles, but most runs of words stay unchanged.
struct ExcerptMatch {
  private static let run = 4
  /// Maximum number of words of an excerpt that are compared.
  private static let maximumWords = 400
  /// Hashes of the excerpt's runs of words.
  private let runs: Set<UInt64>

  /// Hashes the words of an excerpt; nil if it has no words.
  init?(_ excerpt: String) {
    var words = Self.words(excerpt, limit: Self.maximumWords)
    // Drop the last word, which is often truncated.
    if words.count > Self.run + 1 { words.removeLast() }
    guard !words.isEmpty else { return nil }
    runs = Set(Self.runs(words, length: min(Self.run, words.count)))
    length = min(Self.run, words.count)
  }

  private let length: Int

  /// Returns the share of the excerpt's runs that occur in `text`.
  func share(in text: String) -> Double {
    var found = Set<UInt64>()
    for run in Self.runs(Self.words(text, limit: .max), length: length) where runs.contains(run) {
      found.insert(run)
    }
    return Double(found.count) / Double(runs.count)
  }

  /// True if `text` contains at least three fifths of the excerpt's runs.
  func isFound(in text: String) -> Bool { share(in: text) >= 0.6 }

  /// Returns hashes of the text's words in lower case. A word is a run of letters and digits, or a single Chinese,
  /// Japanese or Korean character.
  private static func words(_ text: String, limit: Int) -> [UInt64] {
    var result: [UInt64] = []
    var hash = UInt64.fnvOffset
    var isInWord = false
    for scalar in text.unicodeScalars {
      let value = scalar.value
      let isWide = value >= 0x3040 && value <= 0xD7A3 && !(value >= 0xA000 && value < 0xAC00)
      let isWord = isWide || isLetter(scalar)
      if !isWord || isWide, isInWord {
        result.append(hash)
        if result.count == limit { return result }
        isInWord = false
        hash = UInt64.fnvOffset
      }
      guard isWord else { continue }
      let lower = Self.folded(value)
      hash = (hash ^ UInt64(lower)) &* UInt64.fnvPrime
      isInWord = true
    }
    if isInWord { result.append(hash) }
    return result
  }

  /// Maps a capital to its lower-case letter, in scripts with case. Exceptions of single languages do not matter,
  /// because both texts are folded in the same way.
  @inline(__always)
  private static func folded(_ value: UInt32) -> UInt32 {
    switch value {
    case 0x41...0x5A, 0xC0...0xDE, 0x391...0x3A9, 0x410...0x42F: value + 0x20
    case 0x100...0x17F: value | 1
    case 0x400...0x40F: value + 0x50
    case 0x531...0x556: value + 0x30
    default: value
    }
  }

  @inline(__always)
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    if value < 0x80 { return (value | 0x20) &- 0x61 < 26 || value &- 0x30 < 10 }
    // Not word characters: punctuation and spaces of the blocks Latin-1 and General Punctuation.
    if value < 0xC0 { return value == 0xAA || value == 0xB5 || value == 0xBA }
    if value >= 0x2000, value < 0x2070 || value >= 0x3000 && value < 0x3030 || value == 0xFEFF {
      return false
    }
    if value >= 0xFF00, value < 0xFF10 { return false }
    return true
  }

  private static func runs(_ words: [UInt64], length: Int) -> [UInt64] {
    guard words.count >= length, length > 0 else { return [] }
    return (0...(words.count - length)).map { first in
      var hash = UInt64.fnvOffset
      for word in words[first..<first + length] {
        hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15 &+ hash >> 29
      }
      return hash
    }
  }
}
