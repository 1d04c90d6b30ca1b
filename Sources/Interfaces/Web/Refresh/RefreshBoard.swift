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
      state.version += 1
      state.task = Task { await self.run(route) }
      return true
    }
  }

  /// Discards the result of the last refresh.
  func dismiss() {
    state.withLock { state in
      guard state.task == nil else { return }
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
      state.container = state.container.map { container.after($0) } ?? container
      state.version += 1
    }
  }
}
