import NewsText

/// Formats an invocation as a command to paste into a shell.
struct CommandText {
  let program: String

  /// The path by which newsd was called, or `newsd` if the shell found it by name.
  static func program(_ argument: String?) -> String {
    guard let argument, argument.utf8.contains(UInt8(ascii: "/")) else { return "newsd" }
    return argument
  }

  /// The footer of a page that `invocation` shows.
  func footer(of invocation: Invocation) -> ListFooter {
    let options = CommandTable.globalOptions + (CommandTable.command(invocation.path)?.options ?? [])
    var words = [program] + invocation.path
    for option in options where !["page", "before"].contains(option.long) {
      for value in invocation.values(option.long) {
        words.append(option.short.map { "-\($0)" } ?? "--\(option.long)")
        if option.value != nil { words.append(value) }
      }
    }
    // A query word that begins with a dash could be read as an option.
    let isDashed = invocation.operands.contains { $0.utf8.first == UInt8(ascii: "-") }
    let query = (isDashed ? ["--"] : []) + invocation.operands
    return ListFooter(
      command: words.map(Self.quoted).joined(separator: " "),
      query: query.map(Self.quoted).joined(separator: " ")
    )
  }

  /// Quotes a word for a shell (POSIX.1-2017 section 2.2.2).
  static func quoted(_ word: String) -> String {
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
