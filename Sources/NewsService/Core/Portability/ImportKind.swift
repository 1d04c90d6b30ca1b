import NewsToolbox

/// Recognizes a file to be imported by its first bytes, so that a message can name the right import command.
public enum ImportKind {
  /// Decides whether `newsd import` can read a file. Returns the reason why not. `more` returns the lines
  /// after the first; called only if that does not identify the format.
  public static func problem(
    _ firstLine: [UInt8],
    more: () throws(FileError) -> [UInt8]? = { () throws(FileError) in nil },
    path: String
  ) throws(FileError) -> String? {
    if isDatabase(firstLine) || isArchive(firstLine) || isObject(firstLine) || isArray(firstLine) {
      return nil
    }
    let lists = "'newsd feeds import \(CommandWords.quoted(path))' reads OPML, newsboat's urls and sfeedrc"
    guard isMarkup(firstLine) else {
      if firstLine.contains(UInt8(ascii: "\t")) { return nil }
      return "\(path) is not an export of newsd or a file of another reader that newsd knows; \(lists)"
    }
    var start = firstLine
    for _ in 0..<100 where rootElement(start) == nil {
      guard let line = try more() else { break }
      start += [UInt8(ascii: "\n")] + line
    }
    switch rootElement(start) {
    case "articles": return nil
    case "opml": return "\(path) is a list of subscriptions; \(lists)"
    case "rss", "feed", "rdf:rdf":
      return
        "\(path) is a feed; 'newsd feeds add \(CommandWords.quoted(path))' subscribes to it, and "
        + "'newsd parse \(CommandWords.quoted(path))' prints its items"
    default: return "\(path) is markup, and neither a list of subscriptions nor a feed; \(lists)"
    }
  }

  /// Returns the name of the first element in lower case; nil: no element begins here. Skips declarations and comments.
  private static func rootElement(_ bytes: [UInt8]) -> String? {
    var index = 0
    while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")), open + 1 < bytes.count {
      index = open + 1
      if bytes[index...].starts(with: "!--".utf8) {
        guard let end = bytes.indices.dropFirst(index).first(where: { bytes[$0...].starts(with: "-->".utf8) })
        else { return nil }
        index = end
        continue
      }
      let name = bytes[index...].prefix { ASCII.isLetter($0) || $0 == UInt8(ascii: ":") }
      if !name.isEmpty { return String(decoding: name, as: UTF8.self).lowercased() }
    }
    return nil
  }

  /// True for bytes that begin as files do that `newsd import` reads, false for lists of subscriptions and other bytes.
  public static func holdsItems(_ bytes: [UInt8]) -> Bool {
    if isDatabase(bytes) || isArchive(bytes) || isObject(bytes) || isArray(bytes) { return true }
    let start = Array(bytes.prefix(1 << 16))
    if isMarkup(start) { return rootElement(start) == "articles" }
    // A file of sfeed has a time and a tab in each line.
    let time = start.prefix { ASCII.isDigit($0) }
    return !time.isEmpty && start.dropFirst(time.count).first == UInt8(ascii: "\t")
  }

  /// Returns the reason why `newsd feeds import` cannot read a file that starts with these bytes. Nil: the
  /// bytes are neither a database nor JSON Lines; other files are not examined.
  public static func listProblem(_ bytes: [UInt8], path: String) -> String? {
    let what =
      isDatabase(bytes) ? "a database" : isObject(bytes) ? "JSON Lines" : nil
    return what.map {
      "\(path) is \($0), not a list of subscriptions; 'newsd import \(CommandWords.quoted(path))' reads "
        + "exports of newsd and the files of other readers"
    }
  }

  /// True for bytes that begin with the header of an SQLite file (sqlite.org/fileformat.html, section 1.3).
  static func isDatabase(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "SQLite format 3\0".utf8) }

  /// True for the first line of an export of newsd, or for an entry of one.
  static func isExport(_ firstLine: [UInt8]) -> Bool {
    isObject(firstLine)
      && firstLine.withUnsafeBufferPointer { JSONValue(valid: $0, mostValues: JSONValue.mostValuesOfLine) }?[
        "type"
      ] != nil
  }

  /// True for bytes that begin with the header of a file in a ZIP archive.
  private static func isArchive(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x50, 0x4B, 3, 4]) }

  private static func isArray(_ bytes: [UInt8]) -> Bool { firstSign(bytes) == UInt8(ascii: "[") }

  private static func isObject(_ bytes: [UInt8]) -> Bool { firstSign(bytes) == UInt8(ascii: "{") }

  private static func isMarkup(_ bytes: [UInt8]) -> Bool { firstSign(bytes) == UInt8(ascii: "<") }

  /// Returns the first byte that is not white space, after a byte order mark.
  private static func firstSign(_ bytes: [UInt8]) -> UInt8? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0).first {
      $0 != UInt8(ascii: " ") && !(UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains($0)
    }
  }
}
