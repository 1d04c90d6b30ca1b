public import NewsCore

/// Reports figures about the store.
public struct StatusInteractor: Interactor {
  private let feeds: any FeedReading
  private let changes: any ChangeReading
  private let measure: any StoreFileMeasuring
  private let clock: any WallClock
  private let presenter = StatusPresenter()

  public init(
    feeds: any FeedReading,
    changes: any ChangeReading,
    measure: any StoreFileMeasuring,
    clock: any WallClock
  ) {
    self.feeds = feeds
    self.changes = changes
    self.measure = measure
    self.clock = clock
  }

  /// Emits the figures of the store; `store` is its path, or its address on PostgreSQL.
  public func respond(to store: String, emit: @escaping Emit<StatusViewModel>) async throws {
    let all = try await feeds.feeds()
    let latest = try await changes.latestSequence()
    let now = clock.now()
    let figures = await measure.figures()
    let health = HealthReport(all, daemon: measure.runningDaemon(), figures: figures, now: now)
    try emit(presenter.present(all, health, latest: latest, store: store, now: now))
  }
}
