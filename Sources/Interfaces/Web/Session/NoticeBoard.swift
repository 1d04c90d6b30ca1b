import Modules
import NewsCore
import Synchronization

/// A sentence about an action for the next page, with the data that undoes the action.
struct Notice: Sendable {
  enum Kind: Hashable, Sendable { case done, warning, failure }

  /// The marks or labels that an action changed, and the mark that restores them.
  struct Undo: Sendable {
    var ids: [NewsItem.ID]
    var mark: ItemMark
    /// The rule that the action added; nil: none. If it labels, the items have its label.
    var rule: Rule?
  }

  var kind = Kind.done
  /// A sentence of the page, or one of a module as the page shows it. Only the latter is made by `PageText`: names in the
  /// page's own sentences stay as they are.
  var text: String
  /// Text to copy, such as a new app password.
  var secret: String?
  var undo: Undo?
  /// True: the notice has a link to the hooks in the settings.
  var leadsToHooks = false
  /// The feed for which the notice asks whether newsd shall fetch all articles.
  var asksAbout: Feed.ID?

  init(_ text: String, kind: Kind = .done, secret: String? = nil, undo: Undo? = nil) {
    self.text = text
    self.kind = kind
    self.secret = secret
    self.undo = undo
  }

  init(_ failure: UserMessage) {
    self.init(PageText.sentence(failure.text), kind: .failure)
  }
}

/// Keeps the notices of each session until the next page shows them, in memory.
final class NoticeBoard: Sendable {
  private struct Entry {
    var notices: [Notice] = []
    var undo: Notice.Undo?
    /// Number of the last use; the entry with the lowest number is discarded first.
    var turn = 0
  }

  private struct State {
    var entries: [Int64: Entry] = [:]
    var turn = 0
  }

  private let state = Mutex(State())
  /// Maximum number of sessions with notices; bounds memory.
  private static let sessionLimit = 16
  private static let noticeLimit = 50
  private static let undoLimit = 200_000
  /// Maximum bytes of a notice: some repeat what was typed.
  private static let textLimit = 1000

  func post(_ notice: Notice, to session: Int64) {
    state.withLock { state in
      state.turn += 1
      var entry = state.entries[session] ?? Entry()
      var notice = notice
      notice.text = GivenName.cut(notice.text, to: Self.textLimit)
      if let undo = notice.undo, undo.ids.count > Self.undoLimit { notice.undo = nil }
      entry.turn = state.turn
      entry.undo = notice.undo ?? entry.undo
      entry.notices = entry.notices.suffix(Self.noticeLimit - 1) + [notice]
      state.entries[session] = entry
      if state.entries.count > Self.sessionLimit,
        let oldest = state.entries.min(by: { $0.value.turn < $1.value.turn })?.key
      {
        state.entries[oldest] = nil
      }
    }
  }

  /// Returns the notices that no page has shown yet, and removes them.
  func take(for session: Int64) -> [Notice] {
    state.withLock { state in
      guard let entry = state.entries[session] else { return [] }
      state.entries[session]?.notices = []
      return entry.notices
    }
  }

  /// Removes and returns the data that undoes the session's last action.
  func takeUndo(for session: Int64) -> Notice.Undo? {
    state.withLock { state in
      let undo = state.entries[session]?.undo
      state.entries[session]?.undo = nil
      return undo
    }
  }

  func forget(_ session: Int64) {
    state.withLock { $0.entries[session] = nil }
  }
}
