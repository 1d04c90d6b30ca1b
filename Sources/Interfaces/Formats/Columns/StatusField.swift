import Modules
import NewsCore

/// The columns of `status`.
enum StatusField: String, RecordField {
  case store, feeds, items, unread, due, failing, gone
  case nextDue = "next_due"
  case lastFetched = "last_fetched"
  case seq

  static let defaultColumns = Array(allCases)
  static let identity = StatusField.store
  var isTime: Bool { self == .nextDue || self == .lastFetched }

  func value(of summary: StatusSummary) -> FieldValue {
    switch self {
    case .store: .text(summary.store)
    case .feeds: .number(Int64(summary.feeds))
    case .items: .number(Int64(summary.items))
    case .unread: .number(Int64(summary.unread))
    case .due: .number(Int64(summary.due))
    case .failing: .number(Int64(summary.failing))
    case .gone: .number(Int64(summary.gone))
    case .nextDue: FieldValue(summary.nextDue)
    case .lastFetched: FieldValue(summary.lastFetched)
    case .seq: .number(summary.sequence)
    }
  }
}
