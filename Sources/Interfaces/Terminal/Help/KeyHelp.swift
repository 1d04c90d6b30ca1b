import Modules

/// The key table as text: for the help screen and for the documentation.
public enum KeyHelp {
  /// The keys in force on a screen, with descriptions of their actions.
  static func lines(_ keys: KeyTable, _ context: KeyContext) -> [TextScreen.LineText] {
    let bindings = keys.inForce(in: context)
    let width = bindings.map { text($0.keys).unicodeScalars.count }.max() ?? 0
    return bindings.map { binding in
      let names = text(binding.keys)
      let gap = String(repeating: " ", count: max(width - names.unicodeScalars.count, 0) + 2)
      return TextScreen.LineText(text: DisplayText(line: names + gap + binding.help), indent: width + 2)
    } + [
      TextScreen.LineText(text: DisplayText("")),
      TextScreen.LineText(
        text: DisplayText("A number before a key repeats it. newsd.yaml changes keys under 'keys:'.")
      ),
    ]
  }

  static func text(_ keys: [[Key]]) -> String { keys.map(Key.text).joined(separator: ", ") }

  /// The table in Markdown, a section for each screen.
  public static func markdown(_ table: KeyTable) -> String {
    var text = ""
    for context in KeyContext.allCases {
      let bindings = table.bindings.filter { $0.context == context }
      guard !bindings.isEmpty else { continue }
      text += "\n### \(context.rawValue)\n\n| keys | action | what it does |\n| --- | --- | --- |\n"
      for binding in bindings {
        let keys = binding.keys.map { "`\($0 == [Key(typing: "|")] ? "\\|" : Key.text($0))`" }.joined(
          separator: " "
        )
        text += "| \(keys) | `\(binding.action.rawValue)` | \(binding.help) |\n"
      }
    }
    return text
  }
}
