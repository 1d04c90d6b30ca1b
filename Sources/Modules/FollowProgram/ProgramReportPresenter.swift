import NewsCore
import NewsToolbox

/// Reports a failed run, and when the next try begins.
struct ProgramReportPresenter: Presenting {
  typealias ViewModel = ProgramReportViewModel

  /// Reports a failed run. `delay` is the number of seconds until the next try; nil: this was the last.
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
