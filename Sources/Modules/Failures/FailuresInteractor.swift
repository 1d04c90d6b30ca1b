public import NewsCore

/// Lists the failing feeds with the cause and the remedy.
public struct FailuresInteractor: Interactor {
  private let feeds: any FeedReading
  private let clock: any WallClock
  private let presenter: FailuresPresenter

  public init(feeds: any FeedReading, clock: any WallClock, presenter: FailuresPresenter) {
    self.feeds = feeds
    self.clock = clock
    self.presenter = presenter
  }

  public func respond(to request: Void, emit: @escaping Emit<FailuresViewModel>) async throws {
    try emit(presenter.present(FailureReport(try await feeds.feeds(), now: clock.now())))
  }
}
