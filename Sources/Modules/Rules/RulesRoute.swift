public import NewsCore

/// What to do with the rules.
public enum RulesRoute: Hashable, Sendable {
  case list
  /// Appends a rule.
  case add(query: String, [RuleAction])
  /// Removes the rule of that number; the others close up.
  case remove(Int)
}
