import Modules
import NewsText

/// Headlines as rows: marks, age, feed, title.
struct NewsListView {
  let terminal: Terminal
  /// True: each row shows its feed; false in the list of one feed.
  let showsFeed: Bool

  func draw(
    _ window: HeadlineWindow,
    _ rows: [HeadlineRow],
    _ cursor: LineCursor,
    isReady: Bool,
    on grid: inout ScreenGrid,
    in area: ScreenArea
  ) {
    guard !window.lines.isEmpty else {
      let text = window.notes.first ?? (isReady ? DisplayText(line: Wording.noItemsHere) : DisplayText(""))
      grid.put(safe: text.isolated, area.row, min(1, area.columns - 1), ScreenStyle(.faint))
      return
    }
    let seen = rows[min(cursor.top, rows.count)..<min(cursor.top + area.rows, rows.count)]
    let columns = Columns(seen, window, area: area, showsFeed: showsFeed, grid)
    for (offset, row) in seen.enumerated() {
      switch row {
      case .day(let name): drawDay(name, area.row + offset, on: &grid)
      case .headline(let index):
        draw(window.lines[index], columns, area.row + offset, isSelected: index == cursor.selected, on: &grid)
      case .excerpt(let index):
        drawExcerpt(window.lines[index], area.row + offset, isSelected: index == cursor.selected, on: &grid)
      }
    }
  }

  /// Widths of the columns, from the visible rows.
  private struct Columns {
    var time = 0
    var feed = 0
    var marks: Int

    init(
      _ rows: ArraySlice<HeadlineRow>,
      _ window: HeadlineWindow,
      area: ScreenArea,
      showsFeed: Bool,
      _ grid: ScreenGrid
    ) {
      marks = grid.columns("●★") + 1
      for row in rows {
        guard case .headline(let index) = row else { continue }
        time = max(time, grid.columns(window.lines[index].time.string))
        if showsFeed { feed = max(feed, min(grid.columns(window.lines[index].feed.string), 30)) }
      }
      // On a narrow terminal, omit the feed to leave room for the title.
      if area.columns < 48 { feed = 0 }
      if area.columns < 32 { time = 0 }
      feed = min(feed, max(area.columns / 5, 8))
    }
  }

  private func drawDay(_ name: DisplayText, _ row: Int, on grid: inout ScreenGrid) {
    let style = ScreenStyle(.separator)
    let next = grid.put(safe: "── \(name.isolated) ", row, 0, style)
    let rest = max(min(grid.size.columns, 60) - next, 0) / max(grid.columns("─"), 1)
    grid.put(safe: String(repeating: "─", count: rest), row, next, style)
  }

  private func draw(
    _ line: HeadlineLine,
    _ columns: Columns,
    _ row: Int,
    isSelected: Bool,
    on grid: inout ScreenGrid
  ) {
    func style(_ role: ScreenRole) -> ScreenStyle { ScreenStyle(role, isSelected: isSelected) }
    grid.clear(row, style(.plain))
    let markWidth = grid.columns("●")
    if line.isUnread { grid.put(safe: "●", row, 0, style(.unread)) }
    if line.isStarred { grid.put(safe: "★", row, markWidth, style(.starred)) }
    var column = columns.marks
    if columns.time > 0 {
      grid.put(right: line.time.string, row, until: column + columns.time, style(.date))
      column += columns.time + 1
    }
    if columns.feed > 0 {
      grid.put(safe: line.feed.string, row, column, until: column + columns.feed, style(.feed))
      column += columns.feed + 1
    }
    let suffix = grid.width.fit(line.suffix, into: max((grid.size.columns - column) / 3, 6))
    let end = grid.size.columns - suffix.columns
    let title = line.title.map { run in
      (text: run.text.string, style: style(run.isMatch ? .match : line.isUnread ? .unread : .plain))
    }
    let next = grid.put(title, row, column, until: end)
    if suffix.columns > 0 { grid.put(safe: suffix.text, row, next, style(.faint)) }
  }

  private func drawExcerpt(_ line: HeadlineLine, _ row: Int, isSelected: Bool, on grid: inout ScreenGrid) {
    let runs = line.excerpt.map { run in
      (text: run.text.string, style: ScreenStyle(run.isMatch ? .match : .faint))
    }
    grid.put(runs, row, 4)
  }
}
