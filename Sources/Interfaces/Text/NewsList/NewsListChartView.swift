public import Modules
public import NewsToolbox

/// Draws the bars in eighths of a column.
public struct NewsListChartView: ContentView {
  private let terminal: Terminal

  public init(terminal: Terminal) {
    self.terminal = terminal
  }

  public func render(_ content: NewsListChartViewModel, isLast: Bool, _ buffer: inout ByteBuffer) {
    guard let most = content.bars.map(\.count).max(), most > 0 else { return }
    let countWidth = String(most).utf8.count
    let room = max((terminal.width ?? 80) - 10 - 2 - countWidth - 1, 8)
    for bar in content.bars {
      buffer.paint(bar.day, .date, on: terminal)
      buffer.spaces(1 + countWidth - String(bar.count).utf8.count)
      buffer.append(decimal: Int64(bar.count))
      let blocks = self.blocks(bar.count, of: most, in: room)
      if !blocks.isEmpty {
        buffer.spaces(1)
        buffer.paint(safe: blocks, .bar, on: terminal)
      }
      buffer.newLine()
    }
  }

  /// A bar of `room` columns for the count `most`, and of at least an eighth of a column for any count above zero.
  private func blocks(_ count: Int, of most: Int, in room: Int) -> String {
    let eighths = count == 0 ? 0 : max(1, count * room * 8 / most)
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + rest
  }
}
