/// The key table as text for the documentation.
public enum KeyHelp {
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
