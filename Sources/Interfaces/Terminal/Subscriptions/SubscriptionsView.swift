import Modules
import NewsCore
import NewsText

/// The subscriptions as rows: unread count, health, title, and the error of a failing feed.
struct SubscriptionsView {
  func draw(
    _ container: Container<SubscriptionsViewModel>,
    _ rows: [SubscriptionRow],
    _ cursor: LineCursor,
    on grid: inout ScreenGrid,
    in area: ScreenArea
  ) {
    guard let content = container.content else { return }
    let seen = rows[min(cursor.top, rows.count)..<min(cursor.top + area.rows, rows.count)]
    let counts = rows.map { self.counts($0, content) }
    let width = min(counts.map(\.utf8.count).max() ?? 0, max(area.columns / 3, 1))
    for (offset, row) in seen.enumerated() {
      let index = cursor.top + offset
      draw(
        row,
        counts[index],
        width,
        content,
        area.row + offset,
        isSelected: index == cursor.selected,
        on: &grid
      )
    }
  }

  /// Draws the first steps if there are no subscriptions yet.
  func drawWelcome(_ keys: KeyTable, below row: Int, on grid: inout ScreenGrid, in area: ScreenArea) {
    let add = keys.key(of: .add, in: .subscriptions).map {
      Wording.keyAddsAFeed($0)
    }
    let command = keys.key(of: .command, in: .subscriptions).map {
      Wording.commandTakesAList($0)
    }
    let lines = [Wording.thereAreNoSubscriptionsYet, add, command].compactMap(\.self)
    let wrapper = TextWrapper(
      width: DisplayWidth(ambiguousIsWide: grid.ambiguousIsWide),
      columns: max(area.columns - 2, 1)
    )
    var place = area.row + row + (area.rows > row + 4 ? 1 : 0)
    for (index, line) in lines.enumerated() {
      let role: ScreenRole = index == 0 ? .plain : .faint
      for spans in wrapper.lines(of: [.init(text: DisplayText(line: line), style: .plain)]) {
        guard place < area.row + area.rows else { return }
        grid.put(safe: spans.map(\.text.string).joined(), place, 1, ScreenStyle(role))
        place += 1
      }
    }
  }

  /// `3/120`; empty for rows without a count.
  private func counts(_ row: SubscriptionRow, _ content: SubscriptionsViewModel) -> String {
    switch row {
    case .all(let unread, let items): "\(CountText.of(unread))/\(CountText.of(items))"
    case .starred, .search: ""
    case .folder(let folder, _): "\(CountText.of(folder.unread))/\(CountText.of(folder.items))"
    case .feed(let index, _, _):
      "\(CountText.of(content.lines[index].unread))/\(CountText.of(content.lines[index].items))"
    }
  }

  private func draw(
    _ row: SubscriptionRow,
    _ counts: String,
    _ width: Int,
    _ content: SubscriptionsViewModel,
    _ line: Int,
    isSelected: Bool,
    on grid: inout ScreenGrid
  ) {
    func style(_ role: ScreenRole) -> ScreenStyle { ScreenStyle(role, isSelected: isSelected) }
    grid.clear(line, style(.plain))
    let hasUnread = counts.utf8.first.map { $0 != UInt8(ascii: "0") } ?? false
    grid.put(right: counts, line, until: width, style(hasUnread ? .unread : .faint))
    let column = width + 3
    switch row {
    case .all: grid.put(safe: Wording.allItems, line, column, style(.folder))
    case .starred: grid.put(safe: Wording.starredWithStar, line, column, style(.starred))
    case .search(let search):
      let name = DisplayText(line: search.name).string
      let query = DisplayText(line: search.query).string
      grid.put([("/ \(name)", style(.feed)), ("  \(query)", style(.faint))], line, column)
    case .folder(let folder, let isFolded):
      let name = folder.name ?? ""
      let last = name.utf8.split(separator: UInt8(ascii: "/")).last.map {
        String(decoding: $0, as: UTF8.self)
      }
      let indent = column + 2 * min(SubscriptionRow.depth(of: name), 8)
      let text = "\(isFolded ? "▸" : "▾") \(DisplayText(line: last ?? name).string)"
      grid.put(safe: text, line, indent, style(.folder))
    case .feed(let index, _, let depth):
      drawFeed(content.lines[index], line, width, column + 2 * min(depth, 8), style, on: &grid)
    }
  }

  private func drawFeed(
    _ feed: SubscriptionLine,
    _ line: Int,
    _ width: Int,
    _ column: Int,
    _ style: (ScreenRole) -> ScreenStyle,
    on grid: inout ScreenGrid
  ) {
    switch feed.health {
    case .good: break
    case .new: grid.put(safe: "+", line, width + 1, style(.faint))
    case .failing: grid.put(safe: "!", line, width + 1, style(.error))
    case .gone: grid.put(safe: "x", line, width + 1, style(.error))
    case .paused: grid.put(safe: "=", line, width + 1, style(.faint))
    }
    let title = (text: feed.title.string, style: style(feed.unread > 0 ? .unread : .plain))
    let problem = feed.problem.map { (text: "  \($0.string)", style: style(.error)) }
    grid.put([title] + (problem.map { [$0] } ?? []), line, column)
  }
}
