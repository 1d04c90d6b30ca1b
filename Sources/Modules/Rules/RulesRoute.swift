public import NewsCore

/// An operation on the rules.
public enum RulesRoute: Hashable, Sendable {
  case list
  /// Appends a rule.
  case add(query: String, [RuleAction])
  /// Removes the rule with this number. Later rules move up by one.
  case remove(Int)
}
