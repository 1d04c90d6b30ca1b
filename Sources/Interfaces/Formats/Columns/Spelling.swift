import NewsToolbox

/// Helps with names that were typed nearly right.
public enum Spelling {
  /// The candidate nearest to `word`, if it is near enough to be meant.
  public static func nearest(to word: String, among candidates: [String]) -> String? {
    EditDistance.suggestions(for: word, among: candidates, limit: 1).first
  }

  /// `Unknown field 'titel': did you mean 'title'? Known: …`
  public static func unknown(_ kind: String, _ word: String, among candidates: [String]) -> String {
    let known = candidates.joined(separator: ", ")
    guard let near = nearest(to: word, among: candidates) else {
      return "Unknown \(kind) '\(word)'. Known: \(known)."
    }
    return "Unknown \(kind) '\(word)': did you mean '\(near)'? Known: \(known)."
  }
}
