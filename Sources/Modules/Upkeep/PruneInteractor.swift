public import NewsCore

/// Removes what is kept no longer.
public struct PruneInteractor: Sendable {
  private let pruning: any ItemPruning
  private let clock: any WallClock

  public init(pruning: any ItemPruning, clock: any WallClock) {
    self.pruning = pruning
    self.clock = clock
  }

  /// Emits the feeds that lose items.
  ///
  /// - Parameters:
  ///   - rules: What goes.
  ///   - dryRun: True: nothing is changed.
  ///   - emit: Gets the one container.
  /// - Returns: How many items went, or would; nil when it failed.
  /// - Throws: What `emit` throws.
  public func run(_ rules: RetentionRules, dryRun: Bool, emit: Emit<PruneViewModel>) async throws -> Int? {
    do {
      let report = try await pruning.prune(rules, at: clock.now(), dryRun: dryRun)
      try emit(.ready(PruneViewModel(report)))
      return report.total
    } catch let error as StoreError {
      try emit(.failed(UserMessage(error)))
      return nil
    }
  }
}

/// Feeds that lose items, each with its line.
public struct PruneViewModel: RecordListContent {
  public typealias Record = PruneReport.Entry

  public var lines: [RecordLine<PruneReport.Entry>]
  public var rowCount: Int { lines.count }

  init(_ report: PruneReport) {
    lines = report.feeds.map { entry in
      RecordLine(
        record: entry,
        text: .columns([String(entry.feedID.rawValue), String(entry.count), entry.title])
      )
    }
  }
}
