import NewsToolbox

/// Recognizes a file to be imported by its first bytes, so that each import command can name the other.
public enum ImportKind {
  /// The reason why `newsd import` cannot read a file with this first line; nil: it can.
  public static func problem(_ firstLine: [UInt8], path: String) -> String? {
    if isDatabase(firstLine) || isObject(firstLine) || firstLine.contains(UInt8(ascii: "\t")) { return nil }
    let what =
      isMarkup(firstLine)
      ? "\(path) is a list of subscriptions"
      : "\(path) is not an export of newsd, a newsboat cache or a file of sfeed"
    return
      "\(what); 'newsd feeds import \(CommandWords.quoted(path))' reads OPML, newsboat's urls and sfeedrc"
  }

  /// The reason why `newsd feeds import` cannot read a file that starts with these bytes; nil: it can.
  public static func listProblem(_ bytes: [UInt8], path: String) -> String? {
    let what =
      isDatabase(bytes) ? "a database" : isObject(bytes) ? "JSON Lines" : nil
    return what.map {
      "\(path) is \($0), not a list of subscriptions; 'newsd import \(CommandWords.quoted(path))' reads "
        + "exports of newsd, newsboat's cache and files of sfeed"
    }
  }

  /// The header of an SQLite file (sqlite.org/fileformat.html, section 1.3).
  static func isDatabase(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "SQLite format 3\0".utf8) }

  private static func isObject(_ bytes: [UInt8]) -> Bool { firstSign(bytes) == UInt8(ascii: "{") }

  private static func isMarkup(_ bytes: [UInt8]) -> Bool { firstSign(bytes) == UInt8(ascii: "<") }

  /// The first byte after a byte order mark and white space.
  private static func firstSign(_ bytes: [UInt8]) -> UInt8? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0).first {
      $0 != UInt8(ascii: " ") && !(UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains($0)
    }
  }
}
