public import NewsCore

/// Lists the scheduled polls.
public struct PollPlanInteractor: Interactor {
  private let feeds: any FeedKeeping
  private let times: TimeDisplay

  public init(feeds: any FeedKeeping, times: TimeDisplay) {
    self.feeds = feeds
    self.times = times
  }

  /// Emits the polls of the next `horizon` seconds.
  public func respond(to horizon: Int64, emit: @escaping Emit<RecordList<PollPlan.Entry>>) async throws {
    let polled = try await feeds.feeds().filter { !$0.isIngested }
    try emit(PollPlanPresenter(times: times).present(PollPlan(polled, now: times.now, horizon: horizon)))
  }
}

/// Formats polls as lines: time, reason, feed.
struct PollPlanPresenter {
  let times: TimeDisplay

  func present(_ plan: PollPlan) -> Container<RecordList<PollPlan.Entry>> {
    .list(
      plan.entries.map {
        RecordLine($0, "\(times.dateAndTime($0.due))  \($0.reason)  \($0.feed.title)")
      },
      nothing: "no poll is due in this time"
    )
  }
}
