public import NewsCore

/// Says what the store holds, what is due when, and what fails.
public struct StatusInteractor: Sendable {
  private let feeds: any FeedReading
  private let changes: any ChangeReading
  private let clock: any WallClock
  private let presenter: StatusPresenter

  public init(
    feeds: any FeedReading,
    changes: any ChangeReading,
    clock: any WallClock,
    presenter: StatusPresenter
  ) {
    self.feeds = feeds
    self.changes = changes
    self.clock = clock
    self.presenter = presenter
  }

  /// Emits a summary of the store.
  ///
  /// - Parameters:
  ///   - store: Path of the store's file.
  ///   - emit: Gets the one container.
  /// - Throws: What `emit` throws.
  public func summary(store: String, emit: Emit<StatusSummaryViewModel>) async throws {
    try emit(
      await .loaded { () async throws(StoreError) in
        let all = try await feeds.feeds()
        let latest = try await changes.latestSequence()
        return presenter.summary(all, latest: latest, store: store, now: clock.now())
      }
    )
  }

  /// Emits the polls of the next `horizon` seconds.
  ///
  /// - Throws: What `emit` throws.
  public func plan(horizon: Int64, emit: Emit<PollPlanViewModel>) async throws {
    try emit(
      await .loaded { () async throws(StoreError) in
        // Feeds that `ingest` fills are never polled.
        let polled = try await feeds.feeds().filter { !$0.url.hasPrefix(ItemIngestion.scheme) }
        return presenter.plan(PollPlan(polled, now: clock.now(), horizon: horizon))
      }
    )
  }

  /// Emits the feeds that fail.
  ///
  /// - Throws: What `emit` throws.
  public func failures(emit: Emit<FailuresViewModel>) async throws {
    try emit(
      await .loaded { () async throws(StoreError) in
        presenter.failures(FailureReport(try await feeds.feeds(), now: clock.now()))
      }
    )
  }
}
