import NewsCore
import NewsToolbox

/// Reads newsboat's `urls` file, in which each line is a feed followed by its tags. Reads a plain list of addresses
/// too.
enum NewsboatList {
  /// True when a line begins with an address that newsboat accepts.
  static func isLikely(_ text: [UInt8]) -> Bool {
    text.split(separator: UInt8(ascii: "\n")).contains { line in
      guard let first = words(of: line).first?.lowercased() else { return false }
      if ["query:", "filter:", "exec:", "feed:", "file:"].contains(where: { first.hasPrefix($0) }) {
        return true
      }
      return WebAddress.isWeb(first)
    }
  }

  static func read(_ text: [UInt8], into collector: inout ListCollector) {
    for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .enumerated()
    {
      let words = words(of: line)
      guard let address = words.first else { continue }
      var feed = NewFeed(url: address)
      var leftOut: [String] = []
      for word in words.dropFirst() {
        if word.hasPrefix(bytesOf: "~") {
          feed.title = String(word.dropFirst())
        } else if word == "!" {
          leftOut.append("hidden (!)")
        } else if word.isEmpty {
          continue
        } else if feed.folder == nil, !word.hasPrefix(bytesOf: "!") {
          feed.folder = word.split(ascii: "/").joined(separator: "/")
        } else {
          // Report further tags as ignored, because newsd has one folder per feed.
          leftOut.append("tag \(word)")
        }
      }
      collector.add(feed, line: index + 1, leftOut: leftOut)
    }
  }

  /// Splits a line at white space. Double quotes preserve white space, a backslash inside them escapes; `#` begins a
  /// comment.
  private static func words(of line: ArraySlice<UInt8>) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    var isWord = false
    var isQuoted = false
    var isEscaped = false
    for byte in line {
      if isEscaped {
        word.append(
          byte == UInt8(ascii: "n")
            ? UInt8(ascii: "\n") : byte == UInt8(ascii: "t") ? UInt8(ascii: "\t") : byte
        )
        isEscaped = false
      } else if isQuoted {
        if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isQuoted = false
        } else {
          word.append(byte)
        }
      } else if byte == UInt8(ascii: "\"") {
        isQuoted = true
        isWord = true
      } else if byte <= UInt8(ascii: " ") {
        if isWord { words.append(String(streamSafe: word)) }
        word.removeAll(keepingCapacity: true)
        isWord = false
      } else if byte == UInt8(ascii: "#"), !isWord {
        return words
      } else {
        word.append(byte)
        isWord = true
      }
    }
    if isWord { words.append(String(streamSafe: word)) }
    return words
  }
}
