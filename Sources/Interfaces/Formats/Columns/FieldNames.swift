import Modules

/// The machine names of the columns, by kind of record, for completions and help.
public enum FieldNames {
  public static let items = names(ItemField.self)
  public static let feeds = names(FeedField.self)
  public static let folders = names(FolderField.self)
  public static let changes = names(ChangeField.self)
  public static let rules = names(RuleField.self)
  /// The columns of both tables of `newsd hooks`, without duplicates.
  public static let hooks = names(HookField.self) + names(HookFailureField.self)
  public static let nodes = names(NodeField.self)
  public static let moves = names(MoveField.self)
  public static let pruned = names(PruneField.self)
  public static let appPasswords = names(AppPasswordField.self)
  public static let webSessions = names(WebSessionField.self)
  public static let webStatus = names(WebStatusField.self)
  public static let problems = names(ProblemField.self)
  /// The columns of the four tables of `newsd status`, without duplicates.
  public static let status = [
    names(StatusField.self), names(PlanField.self), names(FailureField.self), names(HealthField.self),
  ]
  .joined().reduce(into: [String]()) { all, name in if !all.contains(name) { all.append(name) } }

  private static func names<Field: RecordField>(_ fields: Field.Type) -> [String] {
    fields.allCases.map(\.rawValue)
  }
}
