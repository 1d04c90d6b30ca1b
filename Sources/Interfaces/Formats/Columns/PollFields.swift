import Modules
import NewsCore

/// The columns of a scheduled poll.
enum PlanField: String, RecordField {
  case feedID = "feed_id"
  case feed
  case url
  case nextDue = "next_due"
  case nextDueReason = "next_due_reason"

  static let defaultColumns: [PlanField] = [.feed, .nextDue, .nextDueReason]
  static let identity = PlanField.feedID
  var isTime: Bool { self == .nextDue }

  func value(of entry: PollPlan.Entry) -> FieldValue {
    switch self {
    case .feedID: .number(entry.feed.id.rawValue)
    case .feed: .text(entry.feed.title)
    case .url: .text(WebAddress.redacted(entry.feed.url))
    case .nextDue: .time(entry.due)
    case .nextDueReason: .text(entry.reason.description)
    }
  }
}

/// The columns of a failing feed.
enum FailureField: String, RecordField {
  case feedID = "feed_id"
  case feed
  case url
  case failures
  case failingSince = "failing_since"
  case lastError = "last_error"
  case advice

  static let defaultColumns: [FailureField] = [.feed, .failures, .failingSince, .lastError, .advice]
  static let identity = FailureField.feedID
  var isTime: Bool { self == .failingSince }

  func value(of entry: FailureReport.Entry) -> FieldValue {
    switch self {
    case .feedID: .number(entry.feed.id.rawValue)
    case .feed: .text(entry.feed.title)
    case .url: .text(WebAddress.redacted(entry.feed.url))
    case .failures: .number(Int64(entry.failures))
    case .failingSince: FieldValue(entry.since)
    case .lastError: .text(entry.error)
    case .advice: .text(entry.advice)
    }
  }
}
