import DIContainer
import NewsText
import NewsToolbox

/// Formats an invocation as a command to paste into a shell.
struct CommandText {
  let program: String

  /// The footer of a page that `invocation` shows.
  func footer(of invocation: Invocation) -> ListFooter {
    let options = CommandTable.globalOptions + (CommandTable.command(invocation.path)?.options ?? [])
    var words = [program] + invocation.path
    for option in options where !["page", "before"].contains(option.long) {
      for value in invocation.values(option.long) {
        words.append(option.short.map { "-\($0)" } ?? "--\(option.long)")
        if option.value != nil { words.append(option.long == "db" ? Settings.storeName(value) : value) }
      }
    }
    // A query word that begins with a dash could be read as an option.
    let isDashed = invocation.operands.contains { $0.utf8.first == UInt8(ascii: "-") }
    let query = (isDashed ? ["--"] : []) + invocation.operands
    return ListFooter(
      command: words.map(CommandWords.quoted).joined(separator: " "),
      query: query.map(CommandWords.quoted).joined(separator: " ")
    )
  }
}
