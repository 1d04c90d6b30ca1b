import NewsToolbox

/// Sentences of modules as the page shows them.
enum PageText {
  /// A text without commands and without what a library says, and with a capital at its beginning, unless that is a name, an address or the like.
  static func sentence(_ text: String) -> String {
    let text = withoutCommands(text)
    let word = text.utf8.prefix { $0 != space }
    let letters = word.last == UInt8(ascii: ",") || word.last == stop ? word.dropLast() : word[...]
    guard let first = letters.first, letters.allSatisfy(ASCII.isLowercase), !text.hasPrefix(bytesOf: "newsd")
    else { return text }
    return String(decoding: [first & 0xDF] + text.utf8.dropFirst(), as: UTF8.self)
  }

  /// A note; nil if it has nothing but commands.
  static func note(_ text: String) -> String? { kept(text).map { _ in sentence(text) } }

  /// Leaves out the clauses that name commands and options: a reader of the page has buttons, and maybe no shell.
  static func withoutCommands(_ text: String) -> String { kept(text) ?? text }

  /// Returns the clauses without commands; nil if each has one. A full stop, a semicolon or a colon before a space ends a clause.
  private static func kept(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    let isUnreached = text.hasPrefix(bytesOf: "no connection to ")
    var kept: [UInt8] = []
    var start = 0
    for end in 0...bytes.count where end == bytes.count || endsClause(bytes, end) {
      let part = bytes[start..<end]
      start = end
      let clause = String(decoding: part, as: UTF8.self)
      if !isCommand(clause), !(isUnreached && isRepetition(clause)) { kept += part }
    }
    guard kept.count < bytes.count else { return text }
    guard !kept.isEmpty else { return nil }
    // The end of a clause that is now the last one.
    while let last = kept.last, last == space || separators.contains(last), last != stop { kept.removeLast() }
    if bytes.last == stop, kept.last != stop { kept.append(stop) }
    return String(decoding: kept, as: UTF8.self)
  }

  private static let stop = UInt8(ascii: ".")
  private static let space = UInt8(ascii: " ")
  private static let separators = [UInt8(ascii: ";"), UInt8(ascii: ":"), stop]

  /// True if a clause ends before this place.
  private static func endsClause(_ bytes: [UInt8], _ place: Int) -> Bool {
    place > 1 && bytes[place - 1] == space && separators.contains(bytes[place - 2])
  }

  /// True for what libcurl says of any host that it has not reached; other reasons, such as those of a proxy, are worth reading.
  private static func isRepetition(_ clause: String) -> Bool {
    [
      "Failed to connect to ", "Couldn't connect to server", "Could not connect to server",
      "Connection timed out", "Timeout was reached",
    ].contains { clause.hasPrefix(bytesOf: $0) }
  }

  private static func isCommand(_ clause: String) -> Bool {
    ["'newsd ", " --", "'--", "the command", "NEWSD_"].contains { clause.contains(bytesOf: $0) }
  }
}
