import Modules
import NewsCore

/// The columns of a feed in the report of `prune`.
enum PruneField: String, RecordField {
  case feedID = "feed_id"
  case items, feed

  static let defaultColumns = Array(allCases)
  static let identity = PruneField.feedID
  var isTime: Bool { false }

  func value(of entry: PruneReport.Entry) -> FieldValue {
    switch self {
    case .feedID: .number(entry.feedID.rawValue)
    case .items: .number(Int64(entry.count))
    case .feed: .text(entry.title)
    }
  }
}
