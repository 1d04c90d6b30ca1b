import NewsCore
import NewsToolbox

/// Reports what was copied.
struct StoreCopyPresenter: Presenting {
  typealias ViewModel = StoreCopyViewModel

  func copying(_ lines: Int) -> Container<StoreCopyViewModel> {
    .loading(Progress("copying", done: lines, unit: "lines"))
  }

  func copied(_ report: ImportReport, to target: String) -> Container<StoreCopyViewModel> {
    let what = "\(Plural.of(report.feeds, "feed")) and \(Plural.of(report.items, "item"))"
    return .ready(StoreCopyViewModel(notes: [DisplayText(line: "copied \(what) to \(target)")]))
  }
}
