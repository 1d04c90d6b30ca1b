import Modules

/// The machine names of an item's fields, for completions.
enum FieldNames {
  static let all = ItemField.allCases.map(\.rawValue)
}
