/// Splits a command line into words by a shell's quoting rules, without variables, patterns and redirection.
public enum CommandWords {
  /// Why a command line cannot be split.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    public let message: String
    public var description: String { message }
  }

  /// Splits `line` at blanks outside of quotes; `'…'`, `"…"` and a backslash quote (POSIX.1-2017 section
  /// 2.2). Inside double quotes a backslash quotes only `"`, `\`, `$` and `` ` ``. Throws a `Problem` for an
  /// unterminated quote, a trailing backslash, a NUL, or a first word that is missing or empty.
  public static func split(_ line: String) throws(Problem) -> [String] {
    var words: [String] = []
    var word: String.UnicodeScalarView?
    var quote: Unicode.Scalar?
    var rest = line.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch (scalar, quote) {
      case ("\0", _): throw Problem(message: "a command must not contain a NUL")
      case ("'", "'"), ("\"", "\""): quote = nil
      case (_, "'"): word?.append(scalar)
      case ("\\", _):
        guard let next = rest.popFirst() else { throw Problem(message: "the line ends with a backslash") }
        var kept = word ?? String.UnicodeScalarView()
        if quote == "\"", !"\"\\$`".unicodeScalars.contains(next) { kept.append(scalar) }
        kept.append(next)
        word = kept
      case (_, "\""): word?.append(scalar)
      case ("'", _), ("\"", _):
        quote = scalar
        word = word ?? String.UnicodeScalarView()
      case (" ", _), ("\t", _), ("\n", _):
        if let done = word { words.append(String(done)) }
        word = nil
      default:
        var kept = word ?? String.UnicodeScalarView()
        kept.append(scalar)
        word = kept
      }
    }
    if let quote { throw Problem(message: "a \(quote == "'" ? "single" : "double") quote is not closed") }
    if let done = word { words.append(String(done)) }
    guard let program = words.first, !program.isEmpty else { throw Problem(message: "no program is named") }
    return words
  }

  /// Quotes a word so that a shell reads it back unchanged (POSIX.1-2017 section 2.2.2).
  public static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "="), UInt8(ascii: "+"):
        true
      default: false
      }
    }
    guard !isPlain || word.isEmpty else { return word }
    var quoted = "'"
    for scalar in word.unicodeScalars {
      if scalar == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "'"
  }
}
