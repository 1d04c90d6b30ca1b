import NewsHTTP
import Modules
import NewsCore
import NewsToolbox
import Synchronization

/// The stream of events that keeps an open page up to date (HTML standard, section 9.2): new items, marks that other
/// pages or programs set, the numbers of unread items and of unread matches, and the refresh in progress.
///
/// Follows the change log, so it includes changes by every process.
final class PageEvents: HTTPBodyStream {
  /// Waits until the next check of the change log. Returns false if the store has not changed since the last one.
  typealias Pause = @Sendable () async throws -> Bool

  private struct State {
    /// The number of the last change that was read.
    var change: Int64?
    /// True if the last check left changes unread.
    var hasMore = false
    var refresh = -1
    var imports = -1
    var unread: Int?
    var searches: [ListAddress: Int] = [:]
    /// Number of checks without a change, which decides when a comment is sent to keep proxies from closing
    /// the connection.
    var quiet = 0
  }

  /// What a page needs of changes. The items, which may have megabytes, are not kept.
  private struct Found {
    var arrived: [String] = []
    var marks: [String] = []
    /// The last number that was read of the log; nil if it was read to its end.
    var next: Int64?

    mutating func add(_ content: ChangesViewModel) {
      next = content.next
      for entry in content.records {
        guard case .item(let change) = entry, let item = change.item else { continue }
        if change.kind == .inserted {
          if !item.isRead { arrived.append(String(item.feedID.rawValue)) }
        } else {
          marks.append(
            "{\"id\":\(item.id.rawValue),\"read\":\(item.isRead),\"starred\":\(item.isStarred)}"
          )
        }
      }
    }
  }

  private let modules: any WebModules
  private let navigator: Navigator
  private let refreshes: RefreshBoard
  private let imports: ImportBoard
  private let pause: Pause
  private let onEnd: @Sendable () -> Void
  private let state = Mutex(State())

  /// Maximum number of changes in one piece of the stream; the next piece continues.
  private static let changeLimit = 200
  private static let quietLooks = 15

  init(
    modules: any WebModules,
    navigator: Navigator,
    refreshes: RefreshBoard,
    imports: ImportBoard,
    pause: @escaping Pause,
    onEnd: @escaping @Sendable () -> Void = {}
  ) {
    self.modules = modules
    self.navigator = navigator
    self.refreshes = refreshes
    self.imports = imports
    self.pause = pause
    self.onEnd = onEnd
  }

  deinit { onEnd() }

  var isEndless: Bool { true }

  func next() async throws -> [UInt8]? {
    if state.withLock({ $0.change }) == nil {
      let change = try await modules.latestChange()
      state.withLock { $0.change = change }
      return Array("retry: 5000\n\n".utf8) + refreshEvent() + importEvent() + searchEvent()
    }
    while true {
      let (hasMore, quiet, before) = state.withLock { ($0.hasMore, $0.quiet, $0.change) }
      // Changes that the last check has left do not wait, unless they could not be read.
      let mayHaveChanged = try await hasMore && quiet == 0 ? true : pause()
      let changes = mayHaveChanged || hasMore ? await changeEvents() : []
      let events = changes + refreshEvent() + importEvent() + searchEvent()
      if !events.isEmpty {
        state.withLock { $0.quiet = 0 }
        return events
      }
      // Changes that the page does not show.
      let goesOn = state.withLock { state in
        guard state.hasMore, state.change != before else { return false }
        state.quiet = 0
        return true
      }
      if goesOn { continue }
      let isQuiet = state.withLock { state in
        state.quiet += 1
        guard state.quiet >= Self.quietLooks else { return false }
        state.quiet = 0
        return true
      }
      if isQuiet { return Array(": nothing new\n\n".utf8) }
    }
  }

  private func refreshEvent() -> [UInt8] {
    let (container, version) = refreshes.current
    let (isNew, isFirst) = state.withLock { state in
      defer { state.refresh = version }
      return (state.refresh != version && !(state.refresh < 0 && container == nil), state.refresh < 0)
    }
    guard isNew else { return [] }
    var view = RefreshNoticeView(container: container).state
    // A page that is loaded after the end of a refresh tells of none.
    if isFirst, !view.isRunning, !view.hasFailed { view = RefreshNoticeView.State() }
    return Self.event(
      "refresh",
      "{\"text\":\(JSONText.string(view.text)),\"running\":\(view.isRunning),\"failed\":\(view.hasFailed),"
        + "\"done\":\(view.done),\"total\":\(view.total)}"
    )
  }

  private func importEvent() -> [UInt8] {
    let (note, version) = imports.current
    let isNew = state.withLock { state in
      defer { state.imports = version }
      return state.imports != version && note != nil
    }
    return isNew ? Self.event("import", ImportNoteView(note: note, formToken: "").event) : []
  }

  /// The unread matches of saved searches, by the paths of their lists. They are counted after the change that they follow.
  private func searchEvent() -> [UInt8] {
    let counts = navigator.searchCounts
    let isNew = state.withLock { state in
      defer { state.searches = counts }
      return state.searches != counts
    }
    let members = counts.map { "\(JSONText.string($0.key.path)):\($0.value)" }
    return isNew ? Self.event("searches", "{" + members.joined(separator: ",") + "}") : []
  }

  private func changeEvents() async -> [UInt8] {
    guard let before = state.withLock({ $0.change }), let now = try? await modules.latestChange(),
      now != before
    else { return [] }
    let found = Mutex(Found())
    await ModuleRun.all({ try modules.changes() }, ChangesRequest(after: before, limit: Self.changeLimit)) {
      content in found.withLock { $0.add(content) }
    }
    let changes = found.withLock { $0 }
    state.withLock { state in
      state.hasMore = changes.next != nil
      state.change = changes.next ?? now
    }
    var events: [UInt8] = []
    // The feed of each new item: a page knows whether its list can contain them.
    if !changes.arrived.isEmpty {
      events += Self.event("arrived", "[" + changes.arrived.joined(separator: ",") + "]")
    }
    if !changes.marks.isEmpty {
      events += Self.event("marks", "[" + changes.marks.joined(separator: ",") + "]")
    }
    let unread = await navigator.navigation(hasFeeds: false).unread
    if state.withLock({ state in
      defer { state.unread = unread }
      return state.unread != unread
    }) {
      events += Self.event("unread", String(unread))
    }
    return events
  }

  /// One event; the data is one line.
  private static func event(_ name: String, _ data: String) -> [UInt8] {
    Array("event: \(name)\ndata: \(data)\n\n".utf8)
  }
}

/// Writes text as JSON.
enum JSONText {
  /// A string with its quotes.
  static func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      default:
        if scalar.value < 0x20 { result += " " } else { result.unicodeScalars.append(scalar) }
      }
    }
    return result + "\""
  }
}
