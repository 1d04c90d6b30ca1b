import Modules
import NewsText

/// A size in cells.
public struct ScreenSize: Hashable, Sendable {
  public var rows: Int
  public var columns: Int

  public init(rows: Int, columns: Int) {
    self.rows = max(rows, 1)
    self.columns = max(columns, 1)
  }
}

/// The content of a terminal as a value: cells of text with a style. Views draw on it, and tests compare it
/// as text.
///
/// A cell holds one grapheme cluster. A cluster of two columns is followed by an empty cell.
public struct ScreenGrid: Hashable, Sendable {
  public struct Cell: Hashable, Sendable {
    /// The grapheme cluster; empty if the cell is the right half of the cluster before it.
    public var text: String
    public var style: ScreenStyle
  }

  public let size: ScreenSize
  /// The position of the cursor; nil: it is hidden.
  public var cursor: (row: Int, column: Int)? {
    get { cursorRow >= 0 ? (cursorRow, cursorColumn) : nil }
    set {
      cursorRow = newValue?.row ?? -1
      cursorColumn = newValue?.column ?? 0
    }
  }
  private var cursorRow = -1
  private var cursorColumn = 0
  private var cells: [Cell]
  let width: DisplayWidth
  /// True: right-to-left text is stored in visual order; false: in reading order, for terminals that reorder
  /// it themselves.
  let reordersText: Bool
  /// Maximum number of scalars kept in a cluster: a hostile title may put thousands of combining marks on one
  /// letter.
  private static let scalarLimit = 12

  var ambiguousIsWide: Bool { width.ambiguousIsWide }

  public init(_ size: ScreenSize, ambiguousIsWide: Bool = false, reordersText: Bool = true) {
    self.size = size
    self.reordersText = reordersText
    width = DisplayWidth(ambiguousIsWide: ambiguousIsWide)
    cells = Array(repeating: Cell(text: " ", style: .plain), count: size.rows * size.columns)
  }

  /// The cells of a row.
  public func row(_ row: Int) -> ArraySlice<Cell> { cells[row * size.columns..<(row + 1) * size.columns] }

  /// The rows as text without trailing spaces, for tests and documents.
  public var lines: [String] {
    (0..<size.rows).map { index in
      var line = row(index).map(\.text).joined()
      while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
      return line
    }
  }

  /// Clears the columns from `start` up to `end`, and sets their style.
  public mutating func clear(_ row: Int, from start: Int = 0, to end: Int? = nil, _ style: ScreenStyle) {
    guard (0..<size.rows).contains(row) else { return }
    let end = min(end ?? size.columns, size.columns)
    guard start < end else { return }
    for column in max(start, 0)..<end { self[row, column] = Cell(text: " ", style: style) }
  }

  /// Writes text that was taken from a `DisplayText`, on one line. Text that does not fit ends with an
  /// ellipsis. Nothing is written outside the grid. Returns the column after the text; `end`, by default the
  /// right edge, if the text was truncated.
  @discardableResult
  public mutating func put(
    safe text: String,
    _ row: Int,
    _ column: Int,
    until end: Int? = nil,
    _ style: ScreenStyle = .plain
  ) -> Int {
    let end = min(end ?? size.columns, size.columns)
    guard (0..<size.rows).contains(row), column < end, column >= 0 else { return max(column, 0) }
    if reordersText, DisplayText(unchecked: text).isRightToLeft,
      let line = DirectedLine([(text, style)], .automatic, width, room: end - column)
    {
      return put(line, row, column)
    }
    var next = column
    for cluster in text {
      let columns = width.columns(cluster)
      guard columns > 0 else { continue }
      guard next + columns <= end else {
        cut(row, column, next, end, style)
        return end
      }
      set(row, next, Self.bounded(cluster), columns, style)
      next += columns
    }
    return next
  }

  /// Writes pieces one after the other, as one line of text. Returns the column after the pieces; `end` if
  /// text was truncated.
  @discardableResult
  mutating func put(
    _ runs: [(text: String, style: ScreenStyle)],
    _ row: Int,
    _ column: Int,
    until end: Int? = nil,
    direction: TextDirection = .automatic
  ) -> Int {
    let end = min(end ?? size.columns, size.columns)
    if reordersText, (0..<size.rows).contains(row), column < end,
      direction == .rightToLeft || runs.contains(where: { DisplayText(unchecked: $0.text).isRightToLeft }),
      let line = DirectedLine(runs, direction, width, room: end - column)
    {
      return put(line, row, column)
    }
    var next = column
    for (index, run) in runs.enumerated() {
      if next >= end, index < runs.count {
        // This text fills the line exactly, but more follows: replace its end with an ellipsis.
        if !run.text.isEmpty { cut(row, column, next, end, runs[max(index - 1, 0)].style) }
        return end
      }
      next = put(safe: run.text, row, next, until: end, run.style)
    }
    return next
  }

  private mutating func put(_ line: DirectedLine, _ row: Int, _ column: Int) -> Int {
    var next = column
    for piece in line.pieces {
      set(row, next, Self.bounded(piece.cluster), piece.columns, piece.style)
      next += piece.columns
    }
    return next
  }

  /// The width of the text in columns.
  public func columns(_ text: String) -> Int { width.columns(text) }

  /// Writes text so that it ends before `end`.
  public mutating func put(right text: String, _ row: Int, until end: Int, _ style: ScreenStyle) {
    put(safe: text, row, max(end - columns(text), 0), until: end, style)
  }

  /// Replaces the end of the text with an ellipsis.
  private mutating func cut(_ row: Int, _ start: Int, _ next: Int, _ end: Int, _ style: ScreenStyle) {
    guard (0..<size.rows).contains(row) else { return }
    let columns = width.columns("…")
    var place = end - columns
    guard place >= start else { return }
    // Do not write onto the right half of a wide cluster.
    while place > start, self[row, place].text.isEmpty { place -= 1 }
    clear(row, from: place, to: end, style)
    set(row, place, "…", columns, style)
  }

  private mutating func set(_ row: Int, _ column: Int, _ text: String, _ columns: Int, _ style: ScreenStyle) {
    self[row, column] = Cell(text: text, style: style)
    for offset in 1..<max(columns, 1) { self[row, column + offset] = Cell(text: "", style: style) }
  }

  private static func bounded(_ cluster: Character) -> String {
    let scalars = cluster.unicodeScalars
    guard scalars.count > scalarLimit else { return String(cluster) }
    return String(String.UnicodeScalarView(scalars.prefix(scalarLimit)))
  }

  private subscript(row: Int, column: Int) -> Cell {
    get { cells[row * size.columns + column] }
    set { cells[row * size.columns + column] = newValue }
  }
}
