/// Helps with names that were typed nearly right.
public enum Spelling {
  /// The candidate nearest to `word`, if it is near enough to be meant.
  public static func nearest(to word: String, among candidates: [String]) -> String? {
    let limit = max(1, min(3, word.count / 3 + 1))
    let ranked = candidates.map { (name: $0, distance: distance(word.lowercased(), $0.lowercased())) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= limit else { return nil }
    return best.name
  }

  /// `Unknown field 'titel': did you mean 'title'? Known: …`
  public static func unknown(_ kind: String, _ word: String, among candidates: [String]) -> String {
    let known = candidates.joined(separator: ", ")
    guard let near = nearest(to: word, among: candidates) else {
      return "Unknown \(kind) '\(word)'. Known: \(known)."
    }
    return "Unknown \(kind) '\(word)': did you mean '\(near)'? Known: \(known)."
  }

  /// Insertions, deletions, replacements and swaps of neighbours that lead from one to the other.
  static func distance(_ a: String, _ b: String) -> Int {
    let a = Array(a)
    let b = Array(b)
    guard !a.isEmpty else { return b.count }
    var older: [Int] = []
    var previous = Array(0...b.count)
    for i in 1...a.count {
      var row = [i]
      for j in stride(from: 1, through: b.count, by: 1) {
        let replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        var best = min(row[j - 1] + 1, previous[j] + 1, replaced)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { best = min(best, older[j - 2] + 1) }
        row.append(best)
      }
      older = previous
      previous = row
    }
    return previous[b.count]
  }
}
