public import Modules
public import NewsCore
public import NewsText

extension Configurator {
  /// Refreshes what the route names and shows how it goes.
  ///
  /// - Parameters:
  ///   - route: All feeds, those due, or some by name.
  ///   - detail: What is said of each feed.
  ///   - isLive: True draws one line again and again; only sensible on a terminal.
  ///   - fetcher: Where documents come from; nil: the network.
  /// - Returns: The exit status: 0, 75 when some feeds failed, 69 when every one did, 74 for the store.
  /// - Throws: `StoreError` when the store cannot be read, `OutputError`.
  public func runFetch(
    _ route: FetchRoute,
    detail: RefreshView.Detail,
    isLive: Bool,
    fetcher: (any Fetching)? = nil
  ) async throws -> Int32 {
    let interactor = RefreshInteractor(
      feeds: try services.store(),
      refresher: try services.makeRefresher(fetcher: fetcher)
    )
    let screen = makeScreen(detail: detail, isLive: isLive)
    try await interactor.fetch(route, emit: screen.emit)
    await services.shutdown()
    return screen.failure?.code.rawValue ?? 0
  }

  /// Refreshes the store from recorded exchanges and shows how it goes.
  ///
  /// - Parameters:
  ///   - replayer: The recordings.
  ///   - detail: What is said of each feed.
  /// - Returns: The exit status, as of `runFetch`.
  /// - Throws: `StoreError` when the store cannot be read, `OutputError`.
  public func runReplay(_ replayer: FetchReplayer, detail: RefreshView.Detail) async throws -> Int32 {
    let screen = makeScreen(detail: detail, isLive: false)
    try await RefreshInteractor.replay(try services.makeReplay(replayer), emit: screen.emit)
    return screen.failure?.code.rawValue ?? 0
  }

  private func makeScreen(detail: RefreshView.Detail, isLive: Bool) -> Screen<RefreshViewModel> {
    Screen(
      view: RefreshView(
        terminal: presentation.terminal,
        width: presentation.currentWidth,
        detail: detail,
        isLive: isLive
      ),
      output: presentation.messages,
      messages: presentation.messages,
      flushesAlways: true
    )
  }
}
