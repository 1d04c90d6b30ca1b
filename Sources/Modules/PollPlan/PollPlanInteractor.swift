public import NewsCore

/// Lists the scheduled polls.
public struct PollPlanInteractor: Interactor {
  private let feeds: any FeedReading
  private let clock: any WallClock
  private let presenter: PollPlanPresenter

  public init(feeds: any FeedReading, clock: any WallClock, presenter: PollPlanPresenter) {
    self.feeds = feeds
    self.clock = clock
    self.presenter = presenter
  }

  /// Emits the polls of the next `horizon` seconds.
  public func respond(to horizon: Int64, emit: @escaping Emit<PollPlanViewModel>) async throws {
    let polled = try await feeds.feeds().filter { !$0.isIngested }
    try emit(presenter.present(PollPlan(polled, now: clock.now(), horizon: horizon)))
  }
}
