/// The time that reading a text takes.
enum ReadingTime {
  /// Words a minute in scripts that separate words, and characters a minute in those of China, Japan and Korea.
  private static let words = 230
  private static let ideographs = 450

  /// The minutes, at least 1; nil for a text that takes less than half a minute.
  static func minutes(_ text: String) -> Int? {
    var words = 0
    var ideographs = 0
    var isInWord = false
    for scalar in text.unicodeScalars {
      let isIdeograph = isIdeograph(scalar)
      if isIdeograph { ideographs += 1 }
      let isLetter = !isIdeograph && !scalar.properties.isWhitespace
      if isLetter, !isInWord { words += 1 }
      isInWord = isLetter
    }
    let seconds = words * 60 / self.words + ideographs * 60 / self.ideographs
    return seconds < 30 ? nil : max(1, (seconds + 30) / 60)
  }

  /// True for the scripts of China and Japan, and for Hangul.
  private static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7AF, 0x20000...0x3FFFF: true
    default: false
    }
  }
}
