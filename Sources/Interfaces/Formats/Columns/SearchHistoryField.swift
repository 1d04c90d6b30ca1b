import Modules

/// The column of a recent search.
enum SearchHistoryField: String, RecordField {
  case query

  static let defaultColumns: [SearchHistoryField] = [.query]
  static let identity = SearchHistoryField.query

  func value(of search: String) -> FieldValue { .text(search) }
  var isTime: Bool { false }
}
