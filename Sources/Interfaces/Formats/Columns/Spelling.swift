import NewsToolbox

/// Suggests corrections for misspelt names.
public enum Spelling {
  /// The candidate most similar to `word`; nil if none is similar enough.
  public static func nearest(to word: String, among candidates: [String]) -> String? {
    EditDistance.suggestions(for: word, among: candidates, limit: 1).first
  }

  /// The message for an unknown name: `Unknown field 'titel': did you mean 'title'? Known: …`
  public static func unknown(_ kind: String, _ word: String, among candidates: [String]) -> String {
    let known = candidates.joined(separator: ", ")
    guard let near = nearest(to: word, among: candidates) else {
      return "Unknown \(kind) '\(word)'. Known: \(known)."
    }
    return "Unknown \(kind) '\(word)': did you mean '\(near)'? Known: \(known)."
  }
}
