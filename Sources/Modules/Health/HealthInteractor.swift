public import NewsCore

/// Says whether newsd does its work on a store, for monitors and for metrics.
public struct HealthInteractor: Interactor {
  private let feeds: Result<any FeedReading, StoreError>
  private let measure: any StoreFileMeasuring
  private let clock: any WallClock
  private let presenter = HealthPresenter()

  /// - Parameters:
  ///   - feeds: The store, or why it cannot be used: that is a finding and not a failure.
  ///   - measure: The store's files.
  ///   - clock: The time.
  public init(
    feeds: Result<any FeedReading, StoreError>,
    measure: any StoreFileMeasuring,
    clock: any WallClock
  ) {
    self.feeds = feeds
    self.measure = measure
    self.clock = clock
  }

  /// Reports the health; with `answersVerdict` the verdict is also the command's exit status.
  public func run(_ answersVerdict: Bool, emit: @escaping Emit<HealthViewModel>) async throws {
    try await presenter.emittingFailures(to: emit) {
      var all: [Feed]?
      var problem: String?
      do throws(StoreError) {
        all = try await feeds.get().feeds()
      } catch {
        problem = error.message
      }
      let report = HealthReport(
        all,
        storeProblem: problem,
        daemon: measure.runningDaemon(),
        figures: measure.figures(),
        now: clock.now()
      )
      try emit(presenter.present(report, answersVerdict: answersVerdict))
    }
  }
}
