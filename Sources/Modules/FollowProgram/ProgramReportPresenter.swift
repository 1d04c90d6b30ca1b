import NewsCore
import NewsToolbox

/// Reports a failed run, and when the next try begins.
struct ProgramReportPresenter: Presenting {
  typealias ViewModel = ProgramReportViewModel

  /// Reports a failed run.
  ///
  /// - Parameters:
  ///   - item: The item that the program was run for.
  ///   - program: Name of the program.
  ///   - outcome: Description of how the run ended.
  ///   - tries: Number of runs for the item so far.
  ///   - delay: Seconds until the next try; nil: this was the last.
  /// - Returns: The container with the warning.
  func failed(
    _ item: NewsItem,
    program: String,
    outcome: String,
    tries: Int,
    delay: Int?
  ) -> Container<ProgramReportViewModel> {
    let next = delay.map { "again in \($0) s" } ?? "given up after \(Plural.of(tries, "try", "tries"))"
    let text = DisplayText(line: "item \(item.id.rawValue): \(program) \(outcome); \(next)")
    return .loading(keeping: ProgramReportViewModel(warnings: [text]))
  }

  func end() -> Container<ProgramReportViewModel> { .ready(ProgramReportViewModel()) }
}
