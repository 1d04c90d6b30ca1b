import NewsCore
import NewsToolbox

/// Presents lists of feeds, and the changes made to them.
public struct SubscriptionsPresenter: Sendable {
  private let showsLines: Bool
  private let times: TimeDisplay

  /// Without `showsLines`, the view shows records only.
  public init(showsLines: Bool, times: TimeDisplay) {
    self.showsLines = showsLines
    self.times = times
  }

  /// Presents a list of feeds. If the list is not complete, a filter was applied, so that an empty list is a
  /// search without matches.
  func list(
    _ feeds: [Feed],
    searches: [SavedSearch],
    isComplete: Bool
  ) -> Container<SubscriptionsViewModel> {
    var content = SubscriptionsViewModel(feeds: showsLines ? [] : feeds)
    content.failsIfEmpty = !isComplete
    if showsLines {
      content.lines = feeds.map { line($0) }
      content.saved = searches
      content.folders = FolderSummary.all(of: feeds).named
    }
    return .ready(content)
  }

  /// Presents a part of the list.
  func part(
    _ feeds: [Feed],
    _ totals: FeedWindow.Totals,
    searches: [SavedSearch],
    folders: [String]
  ) -> Container<SubscriptionsViewModel> {
    let advice = Dictionary(
      uniqueKeysWithValues: FailureReport(feeds, now: times.now).entries.map { ($0.feed.id, $0.advice) }
    )
    var content = SubscriptionsViewModel()
    content.lines = feeds.map { line($0, advice: advice[$0.id]) }
    content.totals = totals
    content.saved = searches
    content.folderNames = Set(folders.flatMap(FolderPath.chain)).sorted()
    return .ready(content)
  }

  func removed(_ feeds: [Feed]) -> Container<SubscriptionsViewModel> {
    let notes = feeds.map { "removed '\($0.title)' and its \(Plural.of($0.itemCount, "item"))" }
    return changed(feeds, notes)
  }

  func renamed(_ feed: Feed, to title: String) -> Container<SubscriptionsViewModel> {
    changed([feed], ["renamed '\(feed.title)' to '\(title)'"])
  }

  /// Reports that a feed was moved. The container has a note for each move.
  func moved(_ feed: Feed, folder: Bool, position: Bool) -> Container<SubscriptionsViewModel> {
    var notes: [String] = []
    if folder {
      notes.append(
        feed.folder.map { "moved '\(feed.title)' to the folder '\($0)'" }
          ?? "moved '\(feed.title)' out of its folder"
      )
    }
    if position { notes.append("moved '\(feed.title)' to position \(feed.position)") }
    return changed([feed], notes)
  }

  func moved(_ count: Int, to folder: String) -> Container<SubscriptionsViewModel> {
    let feeds = Plural.of(count, "feed")
    return changed(
      [],
      [folder.isEmpty ? "moved \(feeds) to the top level" : "moved \(feeds) to the folder '\(folder)'"]
    )
  }

  func movedFolder(_ folder: String, to name: String) -> Container<SubscriptionsViewModel> {
    let note =
      name.isEmpty
      ? "removed the folder '\(folder)'; its feeds stay" : "renamed the folder '\(folder)' to '\(name)'"
    return changed([], [note])
  }

  /// The tree itself shows the new order.
  func arranged() -> Container<SubscriptionsViewModel> { changed([], []) }

  func notArranged() -> Container<SubscriptionsViewModel> {
    .failed(.usage, "it is the first or last one of its folder, or the tree has changed meanwhile")
  }

  func emptyTitle(_ name: String) -> Container<SubscriptionsViewModel> {
    .failed(.usage, "the new title of '\(name)' is empty. Give it one.")
  }

  func badPosition(_ position: Int) -> Container<SubscriptionsViewModel> {
    .failed(.usage, "\(position) is not a position; positions begin at 1")
  }

  /// The failure for a removal that gives only part of a title.
  func ambiguous(_ name: String, _ feed: Feed) -> Container<SubscriptionsViewModel> {
    .failed(
      .usage,
      "'\(name)' is only a part of the title '\(feed.title)'. To remove that feed and its items, name it by its id "
        + "(\(feed.id.rawValue)), URL or whole title"
    )
  }

  private func changed(_ feeds: [Feed], _ notes: [String]) -> Container<SubscriptionsViewModel> {
    var content = SubscriptionsViewModel(feeds: feeds)
    content.notes = notes.map { DisplayText(line: $0) }
    return .ready(content)
  }

  private func line(_ feed: Feed, advice: String? = nil) -> SubscriptionLine {
    let state = feed.fetchState
    let health: SubscriptionLine.Health =
      if feed.settings.isPaused == true {
        .paused
      } else if state.isGone {
        .gone
      } else if state.failures > 0 {
        .failing
      } else if state.lastFetched == nil {
        .new
      } else {
        .good
      }
    let fetched = state.lastFetched.map(times.age)
    return SubscriptionLine(
      position: feed.position,
      id: feed.id,
      unread: feed.unreadCount,
      items: feed.itemCount,
      health: health,
      fetched: DisplayText(line: fetched ?? "-"),
      lastFetched: state.lastFetched,
      title: DisplayText(line: feed.title),
      folder: feed.folder.map { DisplayText(line: $0) },
      folderPath: feed.folder,
      feedURL: feed.url,
      homePage: feed.siteURL,
      nextPoll: nextPoll(feed),
      problem: problem(feed).map { DisplayText(line: $0) },
      advice: advice.map { DisplayText(line: $0) },
      error: state.failures > 0 ? state.lastError.map { DisplayText(line: $0) } : nil,
      failingSince: state.failingSince,
      isHidden: feed.settings.isHidden == true
    )
  }

  private func nextPoll(_ feed: Feed) -> SubscriptionLine.NextPoll {
    if feed.isIngested { return .ingested }
    if feed.fetchState.isGone || feed.settings.isPaused == true { return .never }
    return feed.fetchState.nextDue.map { .at($0, feed.fetchState.nextDueReason) } ?? .now
  }

  private func problem(_ feed: Feed) -> String? {
    let state = feed.fetchState
    if feed.settings.isPaused == true { return "paused" }
    if state.isGone {
      return
        "gone (410): not polled any more. 'newsd feeds set \(feed.id.rawValue) url=URL' gives it another URL."
    }
    guard state.failures > 0 else { return nil }
    let count = state.failures == 1 ? "Failed" : "failed \(state.failures) times"
    let since = state.failingSince.map { " since \(times.dateAndTime($0))" } ?? ""
    return
      "\(count)\(since): \(state.lastError ?? state.lastStatus.map { "status \($0)" } ?? "no reason recorded")"
  }
}
