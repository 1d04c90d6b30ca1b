/// Corrections for misspelt names.
public enum Suggestion {
  /// The hint at the end of an error, such as `: did you mean 'list'?`; empty if no name is similar enough.
  public static func text(for word: String, among names: [String], prefix: String = "") -> String {
    guard let nearest = EditDistance.suggestions(for: word, among: names, limit: 1).first else { return "" }
    return ": did you mean '\(prefix)\(nearest)'?"
  }

  /// The message for an unknown name: `unknown field 'titel': did you mean 'title'? Known: id, title.`
  public static func unknown(_ kind: String, _ word: String, among names: [String]) -> String {
    let hint = text(for: word, among: names)
    return "unknown \(kind) '\(word)'\(hint.isEmpty ? "." : hint) Known: \(names.joined(separator: ", "))."
  }
}
