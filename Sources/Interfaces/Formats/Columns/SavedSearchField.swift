import Modules
import NewsCore

/// The columns of a saved search.
enum SavedSearchField: String, RecordField {
  case name, query

  static let defaultColumns = Array(allCases)
  static let identity = SavedSearchField.name
  var isTime: Bool { false }

  func value(of search: SavedSearch) -> FieldValue {
    switch self {
    case .name: .text(search.name)
    case .query: .text(search.query)
    }
  }
}
