import NewsCore

/// Formats polls as lines: time, reason, feed.
public struct PollPlanPresenter: Presenting {
  public typealias ViewModel = PollPlanViewModel

  private let times: TimeDisplay

  public init(times: TimeDisplay) {
    self.times = times
  }

  func present(_ plan: PollPlan) -> Container<PollPlanViewModel> {
    .ready(
      PollPlanViewModel(
        lines: plan.entries.map { entry in
          let text = "\(times.dateAndTime(entry.due))  \(entry.reason)  \(entry.feed.title)"
          return RecordLine(record: entry, text: DisplayText(line: text))
        }
      )
    )
  }
}
