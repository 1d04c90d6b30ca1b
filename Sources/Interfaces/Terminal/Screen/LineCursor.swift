/// The selected line of a list and the visible part of the list.
public struct LineCursor: Hashable, Sendable {
  public private(set) var selected = 0
  /// The first visible row.
  public private(set) var top = 0

  public init() {}

  /// Selects a line. Clamps it to the existing lines.
  public mutating func select(_ line: Int, of count: Int) {
    selected = min(max(line, 0), max(count - 1, 0))
  }

  /// Scrolls as little as needed to see the selected line. `rows` are those of the selected line, `total` is
  /// the number of rows of all lines.
  public mutating func reveal(_ rows: Range<Int>, of total: Int, height: Int) {
    let height = max(height, 1)
    if rows.upperBound > top + height { top = rows.upperBound - height }
    if rows.lowerBound < top { top = rows.lowerBound }
    top = min(max(top, 0), max(total - height, 0))
  }

  /// Scrolls so that the row stays at the same distance from the top.
  public mutating func keep(_ row: Int, at distance: Int, of total: Int, height: Int) {
    top = min(max(row - distance, 0), max(total - max(height, 1), 0))
  }

  /// Moves by an action. `times` is the number typed before the key. Returns the target line, which may be
  /// beyond the last line; nil: the action does not move.
  public mutating func move(_ action: ReaderAction, _ times: Int?, of count: Int, height: Int) -> Int? {
    let page = max(height - 1, 1)
    let half = max(height / 2, 1)
    let target: Int
    switch action {
    case .next: target = selected + (times ?? 1)
    case .previous: target = selected - (times ?? 1)
    case .pageDown: target = selected + page * (times ?? 1)
    case .pageUp: target = selected - page * (times ?? 1)
    case .halfPageDown: target = selected + half * (times ?? 1)
    case .halfPageUp: target = selected - half * (times ?? 1)
    case .first: target = (times ?? 1) - 1
    case .last: target = times.map { $0 - 1 } ?? count - 1
    default: return nil
    }
    select(target, of: count)
    return target
  }
}
