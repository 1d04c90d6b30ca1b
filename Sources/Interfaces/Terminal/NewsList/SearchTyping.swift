import Modules

/// Helps while a search is being typed: builds its query and draws hints.
enum SearchTyping {
  /// The query for the typed words; the last one is a prefix, because it may be incomplete.
  static func query(_ text: String) -> String {
    let bytes = Array(text.utf8)
    let start = (bytes.lastIndex(of: UInt8(ascii: " ")) ?? -1) + 1
    let word = bytes[start...]
    let quotes = bytes.count { $0 == UInt8(ascii: "\"") }
    // Do not search for a prefix of one letter: too many words begin with it. Fields, quotes and signs have a meaning
    // of their own and get no prefix.
    let isPlain = word.allSatisfy { byte in
      byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    guard word.count > 1, isPlain, quotes.isMultiple(of: 2) else { return text }
    let last = String(decoding: word, as: UTF8.self)
    return last == "OR" || last == "AND" ? text : text + "*"
  }

  /// Draws a hint before anything is typed, and earlier searches, the newest first.
  static func draw(_ history: [String], on grid: inout ScreenGrid, in area: ScreenArea) {
    var lines = ["Type words to look for; the last one may be a beginning."]
    if !history.isEmpty { lines += ["Up brings back an earlier search:"] + history.map { "  " + $0 } }
    for (offset, line) in lines.prefix(area.rows).enumerated() {
      grid.put(safe: DisplayText(line: line).isolated, area.row + offset, 1, ScreenStyle(.faint))
    }
  }
}
