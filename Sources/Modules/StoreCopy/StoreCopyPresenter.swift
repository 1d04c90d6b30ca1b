import NewsCore
import NewsToolbox

/// Reports what was copied.
struct StoreCopyPresenter: Presenting {
  typealias ViewModel = StoreCopyViewModel

  /// `all`: the number of lines to store; nil while they are read.
  func copying(_ lines: Int, of all: Int?) -> Container<StoreCopyViewModel> {
    guard let all else { return .loading(Progress("reading", done: lines, unit: "lines")) }
    return .loading(Progress("storing", done: lines, total: all, unit: "lines"))
  }

  func copied(_ report: ImportReport, to target: String) -> Container<StoreCopyViewModel> {
    let what = "\(Plural.of(report.feeds, "feed")) and \(Plural.of(report.items, "item"))"
    return .ready(StoreCopyViewModel(notes: [DisplayText(line: "copied \(what) to \(target)")]))
  }
}
