import NewsCore
import NewsToolbox

/// Reports the items that an import added and skipped.
struct StoreImportPresenter: Presenting {
  typealias ViewModel = StoreImportViewModel

  func begin() -> Container<StoreImportViewModel> { .loading(Progress("importing")) }

  func importing(lines: Int) -> Container<StoreImportViewModel> {
    .loading(Progress("importing", done: lines, unit: "lines"))
  }

  func present(_ report: ItemImport.Report) -> Container<StoreImportViewModel> {
    guard !report.isEmpty else { return ready(["nothing new"], rows: 0) }
    let counts = report.counts
    var notes = report.skipped.map {
      "\(WebAddress.redacted($0)): not imported: its URL is not http or https"
    }
    notes += counts.untrusted.map {
      "\(WebAddress.redacted($0)): imported, but newsd will not read this file or program; "
        + "'newsd import --trust' allows it"
    }
    notes += counts.stripped.map {
      "\(WebAddress.redacted($0)): its credentials, headers, user agent, certificates, proxy or limits were not imported; "
        + "'newsd import --trust' would keep them"
    }
    notes += leftOut(counts.rulesLeftOut, "rule")
    notes += leftOut(counts.deliveriesLeftOut, "pending delivery", "pending deliveries")
    notes.append(
      "\(Plural.of(counts.feeds, "feed")), \(Plural.of(counts.items, "item")); \(counts.unchanged) were stored before"
    )
    return ready(notes, rows: counts.items)
  }

  private func leftOut(_ count: Int, _ one: String, _ many: String? = nil) -> [String] {
    guard count > 0 else { return [] }
    let what = count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
    return ["\(what) not imported; 'newsd import --trust' would keep \(count == 1 ? "it" : "them")"]
  }

  private func ready(_ notes: [String], rows: Int) -> Container<StoreImportViewModel> {
    .ready(StoreImportViewModel(notes: notes.map { DisplayText(line: $0) }, rowCount: rows))
  }
}
