import Modules

/// The lines around every screen: its title above; a message, or the most useful keys, below.
struct ReaderFrame {
  var title: DisplayText
  var summary: DisplayText
  var message: ReaderMessage?
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
    let limit = grid.size.columns - (typed > 0 ? typed + 1 : 0)
    grid.clear(last, .plain)
    if let message {
      grid.put(
        safe: message.text.isolated,
        last,
        0,
        until: limit,
        ScreenStyle(message.isError ? .error : .plain)
      )
    } else {
      grid.put(safe: hints, last, 0, until: limit, ScreenStyle(.faint))
    }
    grid.put(right: pending, last, until: grid.size.columns, .plain)
  }

  private static let hinted: [KeyContext: [(ReaderAction, String)]] = [
    .subscriptions: [
      (.open, "open"), (.nextUnread, "next unread"), (.markAllRead, "mark read"), (.refreshAll, "refresh"),
      (.add, "add"), (.search, "search"), (.help, "keys"), (.back, "leave"),
    ],
    .list: [
      (.open, "open"), (.nextUnread, "unread"), (.toggleRead, "read"), (.toggleStar, "star"),
      (.markAllRead, "all read"),
      (.undo, "undo"), (.search, "search"), (.help, "keys"), (.back, "back"),
    ],
    .item: [
      (.nextUnread, "next unread"), (.browse, "browser"), (.toggleStar, "star"), (.toggleRead, "unread"),
      (.help, "keys"), (.back, "back"),
    ],
    .status: [(.open, "open"), (.refresh, "refresh"), (.refreshAll, "refresh all"), (.back, "back")],
    .help: [(.back, "back")],
  ]

  /// The keys that are used most.
  static func hints(_ keys: KeyTable, _ context: KeyContext) -> String {
    (hinted[context] ?? []).compactMap { action, word in
      keys.key(of: action, in: context).map { "\($0):\(word)" }
    }.joined(separator: "  ")
  }
}
