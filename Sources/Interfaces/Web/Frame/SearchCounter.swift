import Modules
import NewsCore
import NewsToolbox
import Synchronization

/// Counts the unread matches of saved searches while pages are shown, which wait only for a moment: what is counted later,
/// open pages learn from their events. Its work is bounded by pauses, which are five times as long or longer as the counting.
final class SearchCounter: Sendable {
  private enum Phase { case idle, counting, pausing }

  private struct State {
    var counts: [ListAddress: Int] = [:]
    /// True: the store may have changed since the last counting began.
    var isOld = true
    /// The searches that a page has asked for since then.
    var wanted: [ListAddress]?
    var phase = Phase.idle
    /// Where the next counting begins, so that a slow search does not keep others from being counted.
    var place = 0
  }

  private let modules: any WebModules
  private let turns: TaskTurns?
  private let state = Mutex(State())

  /// Maximum number of searches that are counted.
  private static let limit = 20
  /// After this time, the counting ends; a search that takes as long has no count.
  private static let longest = Duration.seconds(2)
  private static let longestPause = Duration.seconds(10)

  /// Counts in the turns of the account; nil: it is alone.
  init(modules: any WebModules, turns: TaskTurns?) {
    self.modules = modules
    self.turns = turns
  }

  /// The last counts.
  var latest: [ListAddress: Int] { state.withLock { $0.counts } }

  /// Notes that the counts may have changed.
  func expire() { state.withLock { $0.isOld = true } }

  /// The last counts of these lists. If they are old, they are counted anew: at once, or after the pause.
  func counts(of searches: [ListAddress]) async -> [ListAddress: Int] {
    let searches = Array(searches.prefix(Self.limit))
    guard !searches.isEmpty else { return [:] }
    let begins = state.withLock { state in
      guard state.isOld else { return false }
      state.wanted = searches
      guard state.phase == .idle else { return false }
      state.phase = .counting
      return true
    }
    if begins {
      Task { [weak self] in
        while let pause = await self?.countWanted() { try? await Task.sleep(for: pause) }
      }
      for _ in 0..<10 where state.withLock({ $0.phase == .counting }) {
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    return latest
  }

  /// Counts what pages have asked for. Returns the length of the pause, or nil if no page has asked.
  private func countWanted() async -> Duration? {
    let wanted = state.withLock { state -> [ListAddress]? in
      guard let wanted = state.wanted else {
        state.phase = .idle
        return nil
      }
      state.wanted = nil
      state.isOld = false
      state.phase = .counting
      return wanted
    }
    guard let wanted else { return nil }
    let start = ContinuousClock.now
    let work = Task(executorPreference: turns) { await self.count(wanted) }
    let limit = Task {
      try? await Task.sleep(for: Self.longest)
      work.cancel()
    }
    await work.value
    limit.cancel()
    state.withLock { $0.phase = .pausing }
    return min((ContinuousClock.now - start) * 20, Self.longestPause)
  }

  private func count(_ searches: [ListAddress]) async {
    let place = state.withLock { $0.place } % searches.count
    let unread = "is:unread"
    var done = 0
    while done < searches.count, !Task.isCancelled {
      let search = searches[(place + done) % searches.count]
      let route = SearchRoute(text: unread, list: ListRoute(filter: search.filter))
      let count = await ModuleRun.last({ try modules.searchCount() }, route).content?.count
      state.withLock { $0.counts[search] = count }
      done += 1
    }
    let (end, isComplete) = (place + done, done == searches.count)
    state.withLock { state in
      state.counts = state.counts.filter { searches.contains($0.key) }
      state.place = end % searches.count
      if !isComplete { state.isOld = true }
    }
  }
}
