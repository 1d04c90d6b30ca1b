import Modules
import NewsText

/// Draws the visible lines of an item.
struct NewsItemView {
  /// Maximum number of columns of running text; right-to-left text begins at that column.
  let measure: Int

  func draw(_ layout: NewsItemLayout, top: Int, on grid: inout ScreenGrid, in area: ScreenArea) {
    let right = min(measure, area.columns)
    let seen = layout.lines[min(top, layout.lines.count)..<min(top + area.rows, layout.lines.count)]
    for (offset, line) in seen.enumerated() {
      let runs = line.spans.map { (text: $0.text.string, style: ScreenStyle(ScreenRole($0.style))) }
      guard line.isRightToLeft, grid.reordersText else {
        grid.put(runs, area.row + offset, 0, direction: .leftToRight)
        continue
      }
      let columns = runs.reduce(0) { $0 + grid.columns($1.text) }
      grid.put(runs, area.row + offset, max(right - columns, 0), direction: .rightToLeft)
    }
  }
}
