import NewsToolbox

/// Builds the hint `: did you mean 'list'?` at the end of an error.
enum Suggestion {
  /// Returns the hint for a word; an empty string if no name is similar enough.
  static func text(for word: String, among names: [String], prefix: String = "") -> String {
    guard let nearest = EditDistance.suggestions(for: word, among: names, limit: 1).first else { return "" }
    return ": did you mean '\(prefix)\(nearest)'?"
  }
}
