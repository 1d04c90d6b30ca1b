public import NewsCore

/// The retention rules to apply.
public struct PruneRoute: Hashable, Sendable {
  public var rules: RetentionRules
  /// True: only report what would be removed.
  public var isDryRun: Bool

  public init(_ rules: RetentionRules, isDryRun: Bool) {
    self.rules = rules
    self.isDryRun = isDryRun
  }
}
