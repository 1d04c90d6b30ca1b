import NewsCore
import NewsToolbox

/// Says what a program failed at, and what comes next.
struct ProgramReportPresenter: Presenting {
  typealias ViewModel = ProgramReportViewModel

  /// - Parameters:
  ///   - item: What the program was given.
  ///   - program: Its name.
  ///   - outcome: How it ended, in words.
  ///   - tries: How often it was run for the item.
  ///   - delay: Seconds until the next try; nil: there is none.
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
