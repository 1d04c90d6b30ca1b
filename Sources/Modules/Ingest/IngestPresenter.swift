import NewsCore
import NewsToolbox

/// Reports how many items were stored, and which lines could not be read.
struct IngestPresenter: Presenting {
  typealias ViewModel = IngestViewModel

  func present(_ report: ItemIngestion.Report) -> Container<IngestViewModel> {
    var warnings = report.problems.map { problem in
      DisplayText(line: (problem.line > 0 ? "line \(problem.line): " : "") + problem.message)
    }
    let more = report.problemCount - report.problems.count
    if more > 0 { warnings.append(DisplayText(line: "and \(more) more that could not be read")) }
    let note = "\(report.inserted) new, \(report.updated) changed, \(report.unchanged) were stored before"
    let content = IngestViewModel(
      inserted: report.inserted,
      updated: report.updated,
      known: report.unchanged,
      notes: [DisplayText(line: note)],
      warnings: warnings
    )
    guard report.problemCount > 0 else { return .ready(content) }
    let count = Plural.of(report.problemCount, "entry", "entries")
    return .failed(UserMessage(code: .badData, text: "\(count) could not be read"), keeping: content)
  }
}
