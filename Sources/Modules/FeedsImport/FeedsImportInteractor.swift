public import NewsCore
import NewsToolbox

/// Subscribes to the feeds of a list.
public struct FeedsImportInteractor: Interactor {
  private let transfer: SubscriptionTransfer

  public init(transfer: SubscriptionTransfer) { self.transfer = transfer }

  public func respond(
    to request: FeedsImportRequest,
    emit: @escaping Emit<FeedsImportViewModel>
  ) async throws {
    try emit(.loading(Progress("importing")))
    let report = try await transfer.importList(
      request.list,
      folder: request.folder,
      isTrusted: request.isTrusted,
      isDryRun: request.isDryRun
    )
    try emit(FeedsImportPresenter().present(report, isDryRun: request.isDryRun))
  }
}

/// A list of subscriptions to import.
public struct FeedsImportRequest: Hashable, Sendable {
  /// Bytes of an OPML document, a newsboat `urls` file or an sfeedrc.
  public var list: [UInt8]
  /// The folder for entries without a folder.
  public var folder: String?
  /// True: the list is trusted, so its credentials, headers and proxies are kept; see
  /// `SubscriptionTransfer.importList`.
  public var isTrusted: Bool
  /// True: report what would be added, and add nothing.
  public var isDryRun: Bool

  public init(_ list: [UInt8], folder: String? = nil, isTrusted: Bool = false, isDryRun: Bool = false) {
    self.list = list
    self.folder = folder
    self.isTrusted = isTrusted
    self.isDryRun = isDryRun
  }
}

/// Reports the added feeds, and the entries and settings that were rejected.
struct FeedsImportPresenter {
  func present(
    _ report: SubscriptionTransfer.Report,
    isDryRun: Bool = false
  ) -> Container<FeedsImportViewModel> {
    var warnings = report.refused.map { "\(WebAddress.redacted($0.entry)): \($0.reason)" }
    warnings += report.stripped.map {
      "\(WebAddress.redacted($0.url)): its credentials, user agent, headers, certificates, proxy or limits were not imported"
    }
    warnings += report.leftOut.map { "\($0.url): not imported: \($0.what.joined(separator: ", "))" }
    var notes: [String] = []
    if !report.stripped.isEmpty { notes.append("Import a list of your own with --trust to keep them.") }
    notes += report.rules.map { "added rule \($0.number): \($0.query) → \($0.actionList)" }
    notes += report.searches.map {
      isDryRun ? "would save the search '\($0.name)'" : "saved the search '\($0.name)'"
    }
    let known = report.duplicates.count
    let added = (isDryRun ? "would add " : "added ") + Plural.of(report.added.count, "feed")
    notes.append(added + (known > 0 ? "; \(Plural.of(known, "was", "were")) there already" : ""))
    let content = FeedsImportViewModel(
      feeds: report.added,
      known: known,
      notes: notes.map { DisplayText(line: $0) },
      warnings: warnings.map { DisplayText(line: $0) }
    )
    guard report.isTruncated else { return .ready(content) }
    return .failed(
      UserMessage(
        code: .badData,
        text:
          isDryRun
          ? "the list is truncated; only the feeds before its end would be imported"
          : "the list is truncated; the feeds before its end were imported. Import the whole list to add the rest."
      ),
      keeping: content
    )
  }
}

/// The feeds added from a list.
public struct FeedsImportViewModel: ScreenContent {
  public var feeds: [Feed]
  /// Number of the list's feeds that were there already.
  public var known = 0
  /// The last note counts the feeds.
  public var notes: [DisplayText]
  public var warnings: [DisplayText]
  public var rowCount: Int { feeds.count }
}
