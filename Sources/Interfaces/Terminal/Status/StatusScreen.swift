import Modules
import NewsCore
import NewsText
import NewsToolbox

/// Totals of the store, failing feeds with the reason, and the next polls.
struct StatusScreen: ReaderScreen {
  /// A row. A row with a feed can be opened and refreshed.
  struct Row: Hashable, Sendable {
    var text: DisplayText
    var role: ScreenRole = .plain
    var feed: Feed?
    /// Indentation of continuation lines, in columns.
    var indent = 2
    /// True if the row continues the one above.
    var continues = false
  }

  let id: ScreenID
  var context: KeyContext { .status }
  var title: DisplayText { DisplayText(line: Wording.status) }
  private var status: Container<StatusViewModel> = .loading()
  private var failures: Container<RecordList<FailureReport.Entry>> = .loading()
  private var plan: Container<RecordList<PollPlan.Entry>> = .loading()
  private var rows: [Row] = []
  private var cursor = LineCursor()
  private var generation = 0
  private var pending = 0
  private var isStale = false
  /// Maximum number of listed polls.
  private static let planned = 50
  /// Seconds within which the listed polls are due.
  private let horizon: Int64

  init(id: ScreenID, horizon: Int64 = 3600) {
    self.id = id
    self.horizon = horizon
  }

  var failure: UserMessage? { status.failure ?? failures.failure ?? plan.failure }

  mutating func begin(_ core: inout ReaderCore) {
    generation += 1
    pending = 3
    for request: LoadRequest in [.status, .failures, .plan(horizon: horizon)] {
      core.effects.append(.load(id, generation: generation, request))
    }
  }

  mutating func refresh(_ changes: StoreChanges, _ core: inout ReaderCore) {
    if pending > 0 { isStale = true } else { begin(&core) }
  }

  mutating func take(_ content: LoadedContent, generation: Int, _ core: inout ReaderCore) {
    guard generation == self.generation else { return }
    switch content {
    case .status(let answer):
      guard answer.isLast else { return }
      status = answer.after(status)
    case .failures(let answer):
      guard answer.isLast else { return }
      failures = answer.after(failures)
    case .plan(let answer):
      guard answer.isLast else { return }
      plan = answer.after(plan)
    default: return
    }
    pending -= 1
    arrange(core)
    guard pending == 0, isStale else { return }
    isStale = false
    begin(&core)
  }

  mutating func dismissFailure() {
    status = status.dismissed
    failures = failures.dismissed
    plan = plan.dismissed
  }

  mutating func resize(_ core: inout ReaderCore) { arrange(core) }

  private mutating func arrange(_ core: ReaderCore) {
    let facts = status.content?.facts ?? []
    let width = facts.map { $0.name.string.utf8.count }.max() ?? 0
    var rows = facts.map { fact in
      let gap = String(repeating: " ", count: width + 2 - fact.name.string.utf8.count)
      return Row(text: fact.name + DisplayText(unchecked: gap) + fact.value, indent: width + 2)
    }
    func section(_ name: DisplayText) {
      rows.append(Row(text: DisplayText("")))
      rows.append(Row(text: name, role: .heading))
    }
    if let lines = failures.content?.lines {
      section(
        lines.isEmpty ? DisplayText(line: Wording.noFeedFails) : DisplayText(line: Wording.whatFails)
      )
      for line in lines {
        rows.append(Row(text: line.text, role: .error, feed: line.record.feed))
        if let note = line.note {
          rows.append(Row(text: DisplayText("    ") + note, role: .faint, indent: 4))
        }
      }
    }
    if let lines = plan.content?.lines, !lines.isEmpty {
      section(DisplayText(line: Wording.whatIsDueWithin(Self.text(of: horizon))))
      rows += lines.prefix(Self.planned).map { Row(text: $0.text, feed: $0.record.feed) }
      let rest = lines.count - Self.planned
      if rest > 0 {
        rows.append(Row(text: DisplayText(line: Wording.andMore(rest)), role: .faint))
      }
    }
    self.rows = rows.flatMap { Self.lines(of: $0, core) }
    cursor.select(cursor.selected, of: rows.count)
    reveal(core)
  }

  private static func text(of seconds: Int64) -> String {
    let units: [(Int64, String)] = [(86400, "day"), (3600, "hour"), (60, "minute"), (1, "second")]
    let (length, name) = units.first { seconds % $0.0 == 0 } ?? (1, "second")
    return Plural.of(Int(seconds / length), name)
  }

  /// The row, wrapped: the reason of a failure is at its end and must not be truncated.
  private static func lines(of row: Row, _ core: ReaderCore) -> [Row] {
    let width = DisplayWidth(ambiguousIsWide: core.terminal.ambiguousIsWide)
    guard width.columns(row.text.string) > core.size.columns else { return [row] }
    let line = TextScreen.LineText(text: row.text, indent: core.size.columns < 40 ? 2 : row.indent)
    return line.wrapped(width, columns: core.size.columns).enumerated().map { index, line in
      var row = row
      row.text = line.text
      row.continues = index > 0
      return row
    }
  }

  private mutating func reveal(_ core: ReaderCore) {
    cursor.reveal(cursor.selected..<cursor.selected + 1, of: rows.count, height: core.area.rows)
  }

  private var selected: Feed? { rows.indices.contains(cursor.selected) ? rows[cursor.selected].feed : nil }

  mutating func press(row: Int, isDouble: Bool, _ core: inout ReaderCore) {
    cursor.select(cursor.top + row, of: rows.count)
    if isDouble { _ = perform(.open, nil, &core) }
  }

  mutating func perform(_ action: ReaderAction, _ count: Int?, _ core: inout ReaderCore) -> Bool {
    if cursor.move(action, count, of: rows.count, height: core.area.rows) != nil {
      reveal(core)
      return true
    }
    switch action {
    case .open:
      if let feed = selected { core.navigation.append(.open(SubscriptionsRouter().list(of: feed.id))) }
    case .refresh:
      guard let feed = selected else { return false }
      core.refresh(SubscriptionsRouter().refresh(feed.id))
    case .nextUnread:
      let places = Array(rows.indices.drop { $0 <= cursor.selected }) + Array(rows.indices)
      guard let next = places.first(where: { rows[$0].role == .error && !rows[$0].continues }) else {
        return true
      }
      cursor.select(next, of: rows.count)
      reveal(core)
    case .status: core.navigation.append(.back)
    default: return false
    }
    return true
  }

  func draw(on grid: inout ScreenGrid, in area: ScreenArea, _ core: ReaderCore) {
    for (offset, row) in rows[min(cursor.top, rows.count)..<min(cursor.top + area.rows, rows.count)]
      .enumerated()
    {
      let style = ScreenStyle(row.role, isSelected: cursor.top + offset == cursor.selected)
      grid.clear(area.row + offset, style)
      grid.put(safe: row.text.isolated, area.row + offset, 0, style)
    }
  }
}
