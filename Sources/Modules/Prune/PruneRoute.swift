public import NewsCore

/// Which items are no longer kept.
public struct PruneRoute: Hashable, Sendable {
  public var rules: RetentionRules
  /// True: nothing is changed.
  public var isDryRun: Bool

  public init(_ rules: RetentionRules, isDryRun: Bool) {
    self.rules = rules
    self.isDryRun = isDryRun
  }
}
