import Modules
import NewsCore

/// The columns of a feed.
public enum FeedField: String, RecordField {
  case id
  case url
  case title
  case siteURL = "site_url"
  case folder
  case position
  case items
  case unread
  case interval
  case nextDue = "next_due"
  case nextDueReason = "next_due_reason"
  case lastFetched = "last_fetched"
  case lastStatus = "last_status"
  case failures
  case lastError = "last_error"

  static let defaultColumns: [FeedField] = [.id, .url, .title, .folder, .unread]
  static let identity = FeedField.id

  var isTime: Bool { self == .nextDue || self == .lastFetched }

  func value(of feed: Feed) -> FieldValue {
    switch self {
    case .id: .number(feed.id.rawValue)
    case .url: .text(WebAddress.redacted(feed.url))
    case .title: .text(feed.title)
    case .siteURL: FieldValue(feed.siteURL)
    case .folder: FieldValue(feed.folder)
    case .position: .number(Int64(feed.position))
    case .items: .number(Int64(feed.itemCount))
    case .unread: .number(Int64(feed.unreadCount))
    case .interval: FieldValue(feed.fetchState.interval)
    case .nextDue: FieldValue(feed.fetchState.nextDue)
    case .nextDueReason: FieldValue(feed.fetchState.nextDueReason?.description)
    case .lastFetched: FieldValue(feed.fetchState.lastFetched)
    case .lastStatus: FieldValue(feed.fetchState.lastStatus.map(Int64.init))
    case .failures: .number(Int64(feed.fetchState.failures))
    case .lastError: FieldValue(feed.fetchState.lastError)
    }
  }
}
