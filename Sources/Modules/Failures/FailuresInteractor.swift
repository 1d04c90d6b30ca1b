public import NewsCore

/// Lists the failing feeds with the cause and the remedy.
public struct FailuresInteractor: Interactor {
  private let feeds: any FeedKeeping
  private let times: TimeDisplay

  public init(feeds: any FeedKeeping, times: TimeDisplay) {
    self.feeds = feeds
    self.times = times
  }

  public func respond(to request: Void, emit: @escaping Emit<RecordList<FailureReport.Entry>>) async throws {
    let report = FailureReport(try await feeds.feeds(), now: times.now)
    try emit(FailuresPresenter(times: times).present(report))
  }
}

/// Formats failing feeds as lines, each with advice.
struct FailuresPresenter {
  let times: TimeDisplay

  func present(_ report: FailureReport) -> Container<RecordList<FailureReport.Entry>> {
    .list(report.entries.map(line), nothing: "no feed fails")
  }

  private func line(_ entry: FailureReport.Entry) -> RecordLine<FailureReport.Entry> {
    let since = entry.since.map { " since \(times.dateAndTime($0))" } ?? ""
    // A feed that waits for the network or is gone may have no failure of its own.
    let count = entry.failures == 0 ? "" : entry.failures == 1 ? " once" : " \(entry.failures) times"
    return RecordLine(
      entry,
      "\(entry.feed.id.rawValue)  \(entry.feed.title): failed\(count)\(since): \(entry.error)",
      note: entry.advice
    )
  }
}
