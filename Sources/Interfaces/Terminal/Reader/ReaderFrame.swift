import Modules
import NewsText

/// Draws the frame of every screen: the title bar above; a message, or the most useful keys, below.
struct ReaderFrame {
  var title: DisplayText
  var summary: DisplayText
  var message: ReaderMessage?
  /// The work in progress, shown while there is no message.
  var progress: DisplayText?
  /// Keys typed that have no effect yet.
  var pending: String
  var hints: String

  func draw(on grid: inout ScreenGrid) {
    let bar = ScreenStyle(.title)
    grid.clear(0, bar)
    let room = grid.size.columns - grid.columns(summary.string) - 1
    let end = room > 12 ? room : grid.size.columns
    grid.put(safe: " \(title.isolated)", 0, 0, until: end, bar)
    if room > 12 { grid.put(right: summary.string, 0, until: grid.size.columns - 1, bar) }
    guard grid.size.rows > 1 else { return }
    let last = grid.size.rows - 1
    let typed = grid.columns(pending)
    let limit = max(grid.size.columns - (typed > 0 ? typed + 1 : 0), 1)
    grid.clear(last, .plain)
    if let message {
      draw(message, until: limit, on: &grid)
    } else if let progress {
      grid.put(safe: progress.isolated, last, 0, until: limit, .plain)
    } else {
      grid.put(safe: hints, last, 0, until: limit, ScreenStyle(.faint))
    }
    grid.put(right: pending, last, until: grid.size.columns, .plain)
  }

  /// Maximum number of rows of a message.
  private static let longest = 6

  /// A message that does not fit into the last row also uses rows above it, because the end of a message says
  /// what to do.
  private func draw(_ message: ReaderMessage, until limit: Int, on grid: inout ScreenGrid) {
    let style = ScreenStyle(message.isError ? .error : .plain)
    let room = max(min(grid.size.rows - 2, Self.longest), 1)
    // Truncate: the report of a program can be longer than the screen.
    let text = String(String.UnicodeScalarView(message.text.string.unicodeScalars.prefix(limit * (room + 1))))
    let wrapper = TextWrapper(width: grid.width, columns: limit)
    var lines = wrapper.lines(of: [.init(text: DisplayText(unchecked: text), style: .plain)]).map { spans in
      spans.map(\.text.string).joined()
    }
    if lines.count > room {
      lines[(room - 1)...] = [lines[(room - 1)...].joined(separator: " ")]
    }
    for (index, line) in lines.enumerated() {
      let row = grid.size.rows - lines.count + index
      grid.clear(row, .plain)
      grid.put(safe: DisplayText(unchecked: line).isolated, row, 0, until: limit, style)
    }
  }

  private static let hinted: [KeyContext: [(ReaderAction, String)]] = [
    .subscriptions: [
      (.open, Wording.openHint), (.nextUnread, Wording.nextUnreadHint), (.markAllRead, Wording.markReadHint),
      (.refreshAll, Wording.refreshHint),
      (.add, Wording.addHint), (.search, Wording.searchHint), (.help, Wording.keysHint),
      (.back, Wording.leaveHint),
    ],
    .list: [
      (.open, Wording.openHint), (.nextUnread, Wording.unreadLabel), (.toggleRead, Wording.readLabel),
      (.toggleStar, Wording.starHint),
      (.markAllRead, Wording.allReadHint),
      (.undo, Wording.undoHint), (.search, Wording.searchHint), (.help, Wording.keysHint),
      (.back, Wording.backHint),
    ],
    .item: [
      (.nextUnread, Wording.nextUnreadHint), (.browse, Wording.browserHint), (.toggleStar, Wording.starHint),
      (.toggleRead, Wording.unreadLabel),
      (.help, Wording.keysHint), (.back, Wording.backHint),
    ],
    .status: [
      (.open, Wording.openHint), (.refresh, Wording.refreshHint), (.refreshAll, Wording.refreshAllHint),
      (.back, Wording.backHint),
    ],
    .help: [(.back, Wording.backHint)],
  ]

  /// The keys that are used most, as many as fit into a line; the key for help is the last to be omitted.
  /// `own` are actions that this screen has beside those of its kind. `fits` returns true for a line that is
  /// not too long.
  static func hints(
    _ keys: KeyTable,
    _ context: KeyContext,
    _ own: [(ReaderAction, String)] = [],
    fits: (String) -> Bool
  ) -> String {
    var hints = (own + (hinted[context] ?? [])).compactMap { action, word in
      keys.key(of: action, in: context).map { (action: action, text: "\($0):\(word)") }
    }
    func line() -> String { hints.map(\.text).joined(separator: "  ") }
    while !fits(line()), let last = hints.lastIndex(where: { $0.action != .help }) { hints.remove(at: last) }
    return line()
  }
}
