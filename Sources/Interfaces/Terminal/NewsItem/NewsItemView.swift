import Modules
import NewsText

/// An item as text: the lines that are seen.
struct NewsItemView {
  func draw(_ layout: NewsItemLayout, top: Int, on grid: inout ScreenGrid, in area: ScreenArea) {
    let seen = layout.lines[min(top, layout.lines.count)..<min(top + area.rows, layout.lines.count)]
    for (offset, line) in seen.enumerated() {
      let runs = line.map { (text: $0.text.string, style: ScreenStyle(ScreenRole($0.style))) }
      grid.put(runs, area.row + offset, 0)
    }
  }
}
