import Modules

/// Draws hints while a search is being typed.
enum SearchTyping {
  /// Draws a hint before anything is typed, and earlier searches, the newest first.
  static func draw(_ history: [String], on grid: inout ScreenGrid, in area: ScreenArea) {
    var lines = [Wording.typeWordsToLookFor]
    if !history.isEmpty { lines += [Wording.upBringsBackAnEarlierSearch] + history.map { "  " + $0 } }
    for (offset, line) in lines.prefix(area.rows).enumerated() {
      grid.put(safe: DisplayText(line: line).isolated, area.row + offset, 1, ScreenStyle(.faint))
    }
  }
}
