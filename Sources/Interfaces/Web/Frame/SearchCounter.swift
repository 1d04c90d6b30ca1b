import Modules
import NewsCore
import Synchronization

/// Counts the unread matches of saved searches while pages are shown, which wait only for a moment. Its work is bounded by
/// pauses, which are five times as long or longer as the counting.
final class SearchCounter: Sendable {
  private struct State {
    var counts: [ListAddress: Int] = [:]
    /// True: the store may have changed since the counting began.
    var isOld = true
    var isCounting = false
    /// The end of the pause.
    var next = ContinuousClock.now
    /// Where the next counting begins, so that a slow search does not keep others from being counted.
    var place = 0
  }

  private let modules: any WebModules
  private let state = Mutex(State())

  /// Maximum number of searches that are counted.
  private static let limit = 20
  /// After this time, the counting ends; a search that takes as long has no count.
  private static let longest = Duration.seconds(2)
  private static let longestPause = Duration.seconds(10)

  init(modules: any WebModules) { self.modules = modules }

  /// Notes that the counts may have changed.
  func expire() { state.withLock { $0.isOld = true } }

  /// The last counts of these lists. Begins to count anew if that is due.
  func counts(of searches: [ListAddress]) async -> [ListAddress: Int] {
    let searches = Array(searches.prefix(Self.limit))
    guard !searches.isEmpty else { return [:] }
    let place: Int? = state.withLock { state in
      guard state.isOld, !state.isCounting, state.next <= ContinuousClock.now else { return nil }
      state.isOld = false
      state.isCounting = true
      return state.place % searches.count
    }
    if let place {
      let work = Task { await self.count(searches, from: place) }
      Task {
        try? await Task.sleep(for: Self.longest)
        work.cancel()
      }
      for _ in 0..<10 where state.withLock({ $0.isCounting }) { try? await Task.sleep(for: .milliseconds(5)) }
    }
    return state.withLock { $0.counts }
  }

  private func count(_ searches: [ListAddress], from place: Int) async {
    let start = ContinuousClock.now
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
      state.isCounting = false
      state.next = ContinuousClock.now + min((ContinuousClock.now - start) * 20, Self.longestPause)
    }
  }
}
