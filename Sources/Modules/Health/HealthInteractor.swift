public import NewsCore

/// Reports whether newsd works properly on a store, for monitoring and metrics.
public struct HealthInteractor: Interactor {
  private let store: Result<any FeedReading & HookKeeping, StoreError>
  private let measure: any StoreFileMeasuring
  private let clock: any WallClock
  private let presenter = HealthPresenter()

  /// An error that prevents the use of the store becomes part of the report and does not fail the run.
  public init(
    store: Result<any FeedReading & HookKeeping, StoreError>,
    measure: any StoreFileMeasuring,
    clock: any WallClock
  ) {
    self.store = store
    self.measure = measure
    self.clock = clock
  }

  /// Reports the health; with `answersVerdict` the verdict is also the command's exit status.
  public func respond(to answersVerdict: Bool, emit: @escaping Emit<HealthViewModel>) async throws {
    var all: [Feed]?
    var hooks: [HookState] = []
    var problem: String?
    do throws(StoreError) {
      all = try await store.get().feeds()
      hooks = try await store.get().hookStates()
    } catch {
      problem = error.message
    }
    let report = HealthReport(
      all,
      storeProblem: problem,
      daemon: measure.runningDaemon(),
      figures: await measure.figures(),
      hooks: hooks,
      now: clock.now()
    )
    try emit(presenter.present(report, answersVerdict: answersVerdict))
  }
}
