/// Suggests the known names that are most similar to an unknown one.
public enum EditDistance {
  /// Returns the candidates most similar to the word, nearest first, at most `limit`; case-insensitive.
  ///
  /// A candidate is similar when it starts with the word (of two characters or more), or when the edit
  /// distance is at most a third of the shorter length (but 1 for one or two characters).
  public static func suggestions(
    for word: String,
    among candidates: some Sequence<String>,
    limit: Int = 3
  ) -> [String] {
    let wanted = Array(word.lowercased().unicodeScalars.prefix(64))
    guard !wanted.isEmpty, limit > 0 else { return [] }
    var near: [(distance: Int, order: Int, name: String)] = []
    for (order, candidate) in candidates.enumerated() {
      let name = Array(candidate.lowercased().unicodeScalars.prefix(64))
      let bound = max(1, min(wanted.count, name.count) / 3)
      if wanted.count >= 2, name.count > wanted.count, name.starts(with: wanted) {
        near.append((bound, order, candidate))
      } else if let distance = distance(wanted, name, atMost: bound), distance < max(wanted.count, name.count)
      {
        near.append((distance, order, candidate))
      }
    }
    near.sort { ($0.distance, $0.order) < ($1.distance, $1.order) }
    var names: [String] = []
    for entry in near where names.count < limit && !names.contains(entry.name) { names.append(entry.name) }
    return names
  }

  /// Returns the end of a message that names the suggestions: ` Did you mean title: or tag:?`; empty when there are
  /// none.
  public static func question(_ suggestions: [String]) -> String {
    guard let last = suggestions.last else { return "" }
    let others = suggestions.dropLast()
    return " Did you mean \(others.isEmpty ? last : others.joined(separator: ", ") + " or " + last)?"
  }

  /// True if the words differ in one inserted, deleted, replaced or swapped scalar.
  public static func isOneEdit(_ a: String, _ b: String) -> Bool {
    a != b
      && distance(Array(a.unicodeScalars.prefix(128)), Array(b.unicodeScalars.prefix(128)), atMost: 1) != nil
  }

  /// Returns the edit distance from `a` to `b` (insert, delete, replace, swap neighbours); nil when above `bound`.
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar], atMost bound: Int) -> Int? {
    guard abs(a.count - b.count) <= bound else { return nil }
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    var current = last
    for i in 0..<a.count {
      current[0] = i + 1
      var smallest = i + 1
      for j in 0..<b.count {
        var value = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, current[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { value = min(value, beforeLast[j - 1] + 1) }
        current[j + 1] = value
        smallest = min(smallest, value)
      }
      if smallest > bound { return nil }
      (beforeLast, last, current) = (last, current, beforeLast)
    }
    return last[b.count] <= bound ? last[b.count] : nil
  }
}

/// Corrections for misspelt names.
public enum NameHint {
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
