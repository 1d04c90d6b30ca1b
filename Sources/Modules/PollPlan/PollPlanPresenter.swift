import NewsCore

/// Formats polls as lines: time, reason, feed.
struct PollPlanPresenter: Presenting {
  typealias ViewModel = PollPlanViewModel

  let times: TimeDisplay

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
