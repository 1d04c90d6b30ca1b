/// `: did you mean 'list'?` at the end of an error.
enum Suggestion {
  /// Empty when nothing is near enough to be a slip of the fingers.
  static func text(for word: String, among names: [String], prefix: String = "") -> String {
    let limit = max(1, word.count / 3)
    let nearest = Set(names).map { (name: $0, distance: distance(word, $0)) }
      .filter { $0.distance <= limit }
      .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
    return nearest.map { ": did you mean '\(prefix)\($0.name)'?" } ?? ""
  }

  /// Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other.
  static func distance(_ a: String, _ b: String) -> Int {
    let a = Array(a)
    let b = Array(b)
    guard abs(a.count - b.count) <= 3, a.count <= 64 else { return .max }
    var before = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1] + [Int](repeating: 0, count: b.count)
      for j in 0..<b.count {
        row[j + 1] = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          row[j + 1] = min(row[j + 1], before[j - 1] + 1)
        }
      }
      before = last
      last = row
    }
    return last[b.count]
  }
}
