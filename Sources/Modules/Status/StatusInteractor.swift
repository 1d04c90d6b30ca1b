public import NewsService

/// Says what the store holds, what is due when, and what fails.
public struct StatusInteractor: Sendable {
  private let feeds: any FeedReading
  private let changes: any ChangeReading
  private let clock: any WallClock

  public init(feeds: any FeedReading, changes: any ChangeReading, clock: any WallClock) {
    self.feeds = feeds
    self.changes = changes
    self.clock = clock
  }

  /// Emits a summary of the store.
  ///
  /// - Parameters:
  ///   - store: Path of the store's file.
  ///   - emit: Gets the one container.
  /// - Throws: What `emit` throws.
  public func summary(store: String, emit: Emit<StatusSummaryViewModel>) async throws {
    do {
      let all = try await feeds.feeds()
      let latest = try await changes.latestSequence()
      try emit(.ready(StatusPresenter().summary(all, latest: latest, store: store, now: clock.now())))
    } catch let error as StoreError {
      try emit(.failed(UserMessage(error)))
    }
  }

  /// Emits the polls of the next `horizon` seconds.
  ///
  /// - Throws: What `emit` throws.
  public func plan(horizon: Int64, terminal: Terminal, emit: Emit<PollPlanViewModel>) async throws {
    do {
      // Feeds that `ingest` fills are never polled.
      let polled = try await feeds.feeds().filter { !$0.url.hasPrefix(ItemIngestion.scheme) }
      let plan = PollPlan(polled, now: clock.now(), horizon: horizon)
      try emit(.ready(StatusPresenter().plan(plan, terminal: terminal)))
    } catch let error as StoreError {
      try emit(.failed(UserMessage(error)))
    }
  }

  /// Emits the feeds that fail.
  ///
  /// - Throws: What `emit` throws.
  public func failures(terminal: Terminal, emit: Emit<FailuresViewModel>) async throws {
    do {
      let report = FailureReport(try await feeds.feeds(), now: clock.now())
      try emit(.ready(StatusPresenter().failures(report, terminal: terminal)))
    } catch let error as StoreError {
      try emit(.failed(UserMessage(error)))
    }
  }
}
