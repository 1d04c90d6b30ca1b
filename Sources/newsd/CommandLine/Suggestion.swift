import NewsToolbox

/// `: did you mean 'list'?` at the end of an error.
enum Suggestion {
  /// Empty when no name is near enough to be a typing error.
  static func text(for word: String, among names: [String], prefix: String = "") -> String {
    guard let nearest = EditDistance.suggestions(for: word, among: names, limit: 1).first else { return "" }
    return ": did you mean '\(prefix)\(nearest)'?"
  }
}
