import Modules
import NewsCore

/// A question in the last line, with the purpose of its answer.
struct Prompt: Sendable {
  enum Purpose: Sendable {
    /// Searches while the user types; the screen with this id shows the matches.
    case search(ScreenID)
    case filter(ScreenID)
    case saveSearch(query: String)
    case command
    case pipe(NewsItem.ID)
    case label(NewsItem.ID)
    case add
    case rename(Feed.ID)
    case move(Feed.ID)
    /// Asks once before a feed and its items are removed.
    case remove(Feed.ID)
    /// Asks once before the saved search with that name is removed.
    case forget(String)
  }

  var purpose: Purpose
  var label: DisplayText
  var editor: LineEditor
  /// Earlier answers, the newest first.
  var history: [String] = []
  /// The index in the history; -1: the user's own line.
  private var place = -1
  private var typed = ""
  /// Candidates for the last word, after the completion key.
  var completions: [String] = []
  private var completion = -1

  init(_ purpose: Purpose, _ label: DisplayText, _ text: String = "") {
    self.purpose = purpose
    self.label = label
    editor = LineEditor(text)
  }

  /// True if one key answers the question.
  var isConfirmation: Bool {
    switch purpose {
    case .remove, .forget: true
    default: false
    }
  }

  /// True if earlier searches are offered as answers.
  var offersHistory: Bool {
    switch purpose {
    case .search, .filter: true
    default: false
    }
  }

  /// True if the answer can be completed.
  var isCommand: Bool {
    if case .command = purpose { true } else { false }
  }

  /// Processes an editing key. Returns true if the text has changed.
  mutating func take(_ key: Key) -> Bool {
    let before = editor.text
    switch key.name {
    case Key.Named.up.rawValue, "Ctrl-P": recall(place + 1)
    case Key.Named.down.rawValue, "Ctrl-N": recall(place - 1)
    default: _ = editor.take(key)
    }
    if editor.text != before { completions = [] }
    return editor.text != before
  }

  private mutating func recall(_ next: Int) {
    guard history.indices.contains(next) || next == -1 else { return }
    if place == -1 { typed = editor.text }
    place = next
    editor.set(next == -1 ? typed : history[next])
  }

  /// Completes the last word; each further press takes the next completion.
  mutating func complete(_ found: [String]) {
    completions = found
    completion = -1
    guard found.count > 1 else {
      if let only = found.first { replaceLastWord(only + Self.gap(after: only)) }
      completions = []
      return
    }
    let common = found.dropFirst().reduce(found[0]) { Self.commonPrefix($0, $1) }
    if common.utf8.count > lastWord.utf8.count { replaceLastWord(common) }
  }

  mutating func nextCompletion() {
    guard !completions.isEmpty else { return }
    completion = (completion + 1) % completions.count
    replaceLastWord(completions[completion])
  }

  private var lastWord: String {
    let bytes = editor.left.utf8
    guard let space = bytes.lastIndex(of: UInt8(ascii: " ")) else { return editor.left }
    return String(editor.left[bytes.index(after: space)...])
  }

  private mutating func replaceLastWord(_ word: String) {
    let kept = String(editor.left.dropLast(lastWord.count))
    editor.set(kept + word)
  }

  /// Returns the space to insert after a completed word; empty after a sign such as `=`, because the word continues.
  private static func gap(after word: String) -> String {
    let last = word.utf8.last
    return last == UInt8(ascii: "=") || last == UInt8(ascii: ":") || last == UInt8(ascii: ",") ? "" : " "
  }

  private static func commonPrefix(_ a: String, _ b: String) -> String {
    String(zip(a, b).prefix { $0 == $1 }.map(\.0))
  }

  // MARK: - Drawing

  func draw(on grid: inout ScreenGrid) {
    let row = grid.size.rows - 1
    grid.clear(row, .plain)
    var column = grid.put(safe: label.string, row, 0, until: grid.size.columns * 2 / 3, ScreenStyle(.prompt))
    let left = DisplayText(line: editor.left).string
    let room = max(grid.size.columns - column - 1, 1)
    // Of a long line, show the part just before the cursor.
    var seen = left
    while grid.columns(seen) > room, !seen.isEmpty { seen.removeFirst() }
    column = grid.put(safe: seen, row, column, .plain)
    grid.cursor = (row, min(column, grid.size.columns - 1))
    column = grid.put(safe: DisplayText(line: editor.right).string, row, column, .plain)
    guard !completions.isEmpty, row > 1 else { return }
    var list = DisplayText(line: completions.joined(separator: "  ")).string
    if completion > 0, grid.columns(list) > grid.size.columns {
      list = DisplayText(line: "… " + completions[completion...].joined(separator: "  ")).string
    }
    grid.clear(row - 1, ScreenStyle(.status))
    grid.put(safe: list, row - 1, 0, ScreenStyle(.status))
  }
}

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
