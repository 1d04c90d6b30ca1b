import NewsToolbox
public import NewsCore

/// Removes the items that the retention rules no longer keep.
public struct PruneInteractor: Interactor {
  private let pruning: any StoreMaintaining & QuotaKeeping
  /// The settings of the page, whose limits apply where the rules have none; nil: they do not apply.
  private let settings: (any PageChoiceKeeping)?
  private let clock: any WallClock

  public init(
    pruning: any StoreMaintaining & QuotaKeeping,
    settings: (any PageChoiceKeeping)? = nil,
    clock: any WallClock
  ) {
    self.pruning = pruning
    self.settings = settings
    self.clock = clock
  }

  /// Applies the rules; with `isDryRun`, only reports what would be removed.
  public func respond(
    to request: (rules: RetentionRules, isDryRun: Bool),
    emit: @escaping Emit<RecordList<PruneReport.Entry>>
  ) async throws {
    try emit(.loading(Progress("pruning")))
    let chosen = try await settings?.pageChoices() ?? PageChoices()
    let rules = request.rules.completed(by: chosen)
    let report = try await pruning.prune(rules, at: clock.now(), dryRun: request.isDryRun) {
      try? emit(.loading(Progress("pruning", done: $0, unit: "items")))
    }
    let beyond = request.isDryRun ? 0 : try await pruning.pruneToQuota()
    try emit(PrunePresenter().present(report, beyondQuota: beyond, isDryRun: request.isDryRun))
  }
}

/// Reports how many items were removed, or would be, by feed.
struct PrunePresenter {
  func present(
    _ report: PruneReport,
    beyondQuota: Int = 0,
    isDryRun: Bool
  ) -> Container<RecordList<PruneReport.Entry>> {
    let total = Plural.of(report.total, "item")
    let kept = [(report.keptUnread, "unread"), (report.keptStarred, "starred")].filter { $0.0 > 0 }
    let reasons = kept.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let note = "\(total) \(isDryRun ? "would be removed" : "removed")"
    return .list(
      report.feeds.map {
        RecordLine($0, columns: [String($0.feedID.rawValue), String($0.count), $0.title])
      },
      notes: [note + (kept.isEmpty ? "" : "; kept: \(reasons)")]
        + (beyondQuota > 0 ? ["\(Plural.of(beyondQuota, "read item")) removed because of the quota"] : [])
    )
  }
}
