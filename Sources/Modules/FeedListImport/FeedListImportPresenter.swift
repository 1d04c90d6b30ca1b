import NewsCore
import NewsToolbox

/// Reports the added feeds, and the entries and settings that were rejected.
struct FeedListImportPresenter: Presenting {
  typealias ViewModel = FeedListImportViewModel

  func present(
    _ report: SubscriptionTransfer.Report,
    isDryRun: Bool = false
  ) -> Container<FeedListImportViewModel> {
    var warnings = report.refused.map { "\(WebAddress.redacted($0.entry)): \($0.reason)" }
    warnings += report.stripped.map {
      "\(WebAddress.redacted($0.url)): its credentials, user agent, headers, certificates, proxy or limits were not imported"
    }
    warnings += report.leftOut.map { "\($0.url): not imported: \($0.what.joined(separator: ", "))" }
    var notes: [String] = []
    if !report.stripped.isEmpty { notes.append("Import a list of your own with --trust to keep them.") }
    notes += report.rules.map { "Added rule \($0.number): \($0.query) → \($0.actionList)" }
    notes += report.searches.map {
      isDryRun ? "Would save the search '\($0.name)'." : "Saved the search '\($0.name)'."
    }
    let known = report.duplicates.count
    let added = (isDryRun ? "Would add " : "Added ") + Plural.of(report.added.count, "feed")
    notes.append(added + (known > 0 ? "; \(Plural.of(known, "was", "were")) there already." : "."))
    let content = FeedListImportViewModel(
      feeds: report.added,
      notes: notes.map { DisplayText(line: $0) },
      warnings: warnings.map { DisplayText(line: $0) }
    )
    guard report.isTruncated else { return .ready(content) }
    return .failed(
      UserMessage(
        code: .badData,
        text:
          isDryRun
          ? "the list is truncated; only the feeds before its end would be imported."
          : "the list is truncated; the feeds before its end were imported. Import the whole list to add the rest."
      ),
      keeping: content
    )
  }
}
