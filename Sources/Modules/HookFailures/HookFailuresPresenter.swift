import NewsCore

/// Formats deliveries that were given up as lines, each with its error.
public struct HookFailuresPresenter: Presenting {
  public typealias ViewModel = HookFailuresViewModel

  private let times: TimeDisplay

  public init(times: TimeDisplay) {
    self.times = times
  }

  func list(_ entries: [FailedHookEntry]) -> Container<HookFailuresViewModel> {
    .ready(
      HookFailuresViewModel(
        lines: entries.map { failure in
          let id = failure.entry.itemID.map { "  item \($0.rawValue)" } ?? ""
          let time = times.dateAndTime(failure.entry.time)
          let text = "\(failure.key)  \(failure.entry.event.rawValue)\(id)  \(time)  \(failure.title)"
          let attempts = failure.attempts == 1 ? "1 attempt" : "\(failure.attempts) attempts"
          return RecordLine(
            record: failure,
            text: DisplayText(line: text),
            note: DisplayText(line: "\(attempts), last error: \(failure.error)")
          )
        }
      )
    )
  }
}
