public import NewsCore

/// Refreshes the store from recorded exchanges, and reports progress like a refresh.
public struct ReplayInteractor: Interactor {
  private let replay: Replay
  /// Files of the folder that are not recorded exchanges.
  private let unreadable: [String]

  public init(replay: Replay, unreadable: [String]) {
    self.replay = replay
    self.unreadable = unreadable
  }

  /// Refreshes from the folder `directory`. `isSeparate`: the user chose this store with `--db`; otherwise the store
  /// must have no feeds.
  public func respond(
    to request: (directory: String, isSeparate: Bool),
    emit: @escaping Emit<RefreshViewModel>
  ) async throws {
    if let reason = try await replay.refusal(isSeparate: request.isSeparate) {
      throw UserMessage(code: .usage, text: reason)
    }
    if !unreadable.isEmpty {
      try emit(RefreshPresenter(total: 0).unreadable(unreadable, in: request.directory))
    }
    try await RefreshEventEmitter(emit: emit).run { try await replay.run(report: $0) }
  }
}
