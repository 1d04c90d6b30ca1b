import Modules
import NewsCore

/// The columns of a problem of the store.
enum ProblemField: String, RecordField {
  case kind, outcome, message

  static let defaultColumns = Array(allCases)
  static let identity = ProblemField.kind
  var isTime: Bool { false }

  func value(of checked: CheckedProblem) -> FieldValue {
    switch self {
    case .kind: .text(checked.problem.kind.rawValue)
    case .outcome: .text(checked.outcome.rawValue)
    case .message: .text(checked.problem.message)
    }
  }
}
