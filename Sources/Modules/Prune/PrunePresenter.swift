import NewsCore
import NewsToolbox

/// Reports how many items were removed, or would be, by feed.
struct PrunePresenter: Presenting {
  typealias ViewModel = PruneViewModel

  func begin() -> Container<PruneViewModel> { .loading(Progress("pruning")) }

  func pruning(_ items: Int) -> Container<PruneViewModel> {
    .loading(Progress("pruning", done: items, unit: "items"))
  }

  func present(_ report: PruneReport, isDryRun: Bool) -> Container<PruneViewModel> {
    let lines = report.feeds.map { entry in
      RecordLine(
        record: entry,
        text: DisplayText.columns([String(entry.feedID.rawValue), String(entry.count), entry.title])
      )
    }
    let total = Plural.of(report.total, "item")
    let kept = [(report.keptUnread, "unread"), (report.keptStarred, "starred")].filter { $0.0 > 0 }
    let reasons = kept.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let note = DisplayText(
      line: "\(total) \(isDryRun ? "would be removed" : "removed")"
        + (kept.isEmpty ? "" : "; kept: \(reasons)")
    )
    return .ready(PruneViewModel(lines: lines, notes: [note]))
  }
}
