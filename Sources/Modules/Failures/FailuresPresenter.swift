import NewsCore

/// Formats failing feeds as lines, each with advice.
public struct FailuresPresenter: Presenting {
  public typealias ViewModel = FailuresViewModel

  private let times: TimeDisplay

  public init(times: TimeDisplay) {
    self.times = times
  }

  func present(_ report: FailureReport) -> Container<FailuresViewModel> {
    .ready(
      FailuresViewModel(
        lines: report.entries.map { entry in
          let since = entry.since.map { " since \(times.dateAndTime($0))" } ?? ""
          let count = entry.failures == 1 ? "once" : "\(entry.failures) times"
          return RecordLine(
            record: entry,
            text: DisplayText(
              line: "\(entry.feed.id.rawValue)  \(entry.feed.title): failed \(count)\(since): \(entry.error)"
            ),
            note: DisplayText(line: entry.advice)
          )
        }
      )
    )
  }
}
