import Modules
import NewsCore

/// The columns of a feed that has moved.
enum MoveField: String, RecordField {
  case feedID = "feed_id"
  case feed, from, to, state, polls, time

  static let defaultColumns = Array(allCases)
  static let identity = MoveField.feedID
  var isTime: Bool { self == .time }

  func value(of move: MoveEditor.Move) -> FieldValue {
    switch self {
    case .feedID: .number(move.feed.id.rawValue)
    case .feed: .text(move.feed.title)
    case .from: .text(WebAddress.redacted(move.from))
    case .to: .text(WebAddress.redacted(move.to))
    case .state: .text(move.isAdopted ? "adopted" : "followed")
    case .polls: .number(Int64(move.polls))
    case .time: FieldValue(move.time)
    }
  }
}
