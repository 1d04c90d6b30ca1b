/// A line of text that the user edits.
struct LineEditor: Hashable, Sendable {
  /// The text before the cursor, and after it.
  private(set) var left: String
  private(set) var right = ""

  init(_ text: String = "") { left = text }

  var text: String { left + right }

  mutating func set(_ text: String) {
    left = text
    right = ""
  }

  /// Processes a key. Returns false if the key edits nothing.
  mutating func take(_ key: Key) -> Bool {
    if let typed = key.text {
      left += typed
      return true
    }
    switch key.name {
    case Key.Named.backspace.rawValue: if !left.isEmpty { left.removeLast() }
    case Key.Named.delete.rawValue, "Ctrl-D": if !right.isEmpty { right.removeFirst() }
    case Key.Named.left.rawValue, "Ctrl-B": if let last = left.popLast() { right = String(last) + right }
    case Key.Named.right.rawValue, "Ctrl-F": if !right.isEmpty { left.append(right.removeFirst()) }
    case Key.Named.home.rawValue, "Ctrl-A": (left, right) = ("", text)
    case Key.Named.end.rawValue, "Ctrl-E": (left, right) = (text, "")
    case "Ctrl-U": left = ""
    case "Ctrl-K": right = ""
    case "Ctrl-W": removeWord()
    default: return false
    }
    return true
  }

  private mutating func removeWord() {
    while left.last == " " { left.removeLast() }
    while let last = left.last, last != " " { left.removeLast() }
  }
}
