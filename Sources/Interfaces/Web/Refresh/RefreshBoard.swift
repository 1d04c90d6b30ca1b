import Modules
import NewsCore
import Synchronization

/// Runs the refreshes that were started on the page, one at a time, and keeps the last container for all pages.
///
/// Owns the task: `close` cancels it and waits for its end.
final class RefreshBoard: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var container: Container<RefreshViewModel>?
    /// The feeds that failed in this refresh or the last one.
    var failed: Set<DisplayText> = []
    /// Those whose failure was dismissed, and that have not been fetched since.
    var dismissed: Set<DisplayText> = []
    /// Incremented with each container; pages compare it to wait for the next one.
    var version = 0
    /// True if no further refresh is accepted.
    var isClosed = false
  }

  private let modules: any WebModules
  private let state = Mutex(State())

  init(modules: any WebModules) {
    self.modules = modules
  }

  /// The refresh in progress or the last one, and the number of containers so far.
  var current: (container: Container<RefreshViewModel>?, version: Int) {
    state.withLock { ($0.container, $0.version) }
  }

  /// The container that pages show: a refresh in progress, or the last one if it failed.
  var shown: Container<RefreshViewModel>? {
    state.withLock { state in
      guard let container = state.container else { return nil }
      if case .ready = container.phase { return nil }
      return container
    }
  }

  /// Starts a refresh. Returns false if another one is running, and after `close`.
  func start(_ route: RefreshRoute) -> Bool {
    state.withLock { state in
      guard state.task == nil, !state.isClosed else { return false }
      state.container = .loading()
      state.failed = []
      state.version += 1
      state.task = Task { await self.run(route) }
      return true
    }
  }

  /// Discards the result of the last refresh. Later failures of the same feeds, and of no others, are not shown.
  func dismiss() {
    state.withLock { state in
      guard state.task == nil else { return }
      state.dismissed = state.failed
      state.container = nil
      state.version += 1
    }
  }

  /// Ends the refresh in progress, and accepts no other.
  func close() async {
    let task = state.withLock { state in
      state.isClosed = true
      return state.task
    }
    task?.cancel()
    await task?.value
  }

  /// Waits for the end of the refresh in progress.
  func finish() async {
    let task = state.withLock { $0.task }
    await task?.value
  }

  private func run(_ route: RefreshRoute) async {
    do {
      let module = try modules.refresh()
      try await module.run(route) { container in self.take(container) }
    } catch {
      take(.failed(ModuleRun.message(of: error)))
    }
    state.withLock { $0.task = nil }
  }

  private func take(_ container: Container<RefreshViewModel>) {
    let container =
      container.failure.map { .failed(ModuleRun.shown($0), keeping: container.content) } ?? container
    state.withLock { state in
      for line in container.content?.lines ?? [] {
        switch line.outcome {
        case .failed: state.failed.insert(line.feed)
        case .updated, .unchanged: state.dismissed.remove(line.feed)
        case .skipped: break
        }
      }
      let isKnown = container.failure?.code == .someFailed && state.failed.isSubset(of: state.dismissed)
      let shown = isKnown ? container.dismissed : container
      state.container = state.container.map { shown.after($0) } ?? shown
      state.version += 1
    }
  }
}
