import Modules
import NewsCore

/// The columns of a rule.
enum RuleField: String, RecordField {
  case number, action, query

  static let defaultColumns = Array(allCases)
  static let identity = RuleField.number
  var isTime: Bool { false }

  func value(of rule: Rule) -> FieldValue {
    switch self {
    case .number: .number(Int64(rule.number))
    case .action: .text(rule.actionList)
    case .query: .text(rule.query)
    }
  }
}
