import Modules
import NewsCore

/// The columns of an entry of the change log: its number and kind, then the columns of the item. A deleted item has
/// only its ids. A feed has some of these columns and two of its own.
struct ChangeField: RecordField {
  private enum Column: Hashable, Sendable {
    case kind, folder
    case siteURL
    case item(ItemField)
  }

  private let column: Column

  private init(_ column: Column) {
    self.column = column
  }

  init?(rawValue: String) {
    guard let field = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = field
  }

  var rawValue: String {
    switch column {
    case .kind: "kind"
    case .folder: "folder"
    case .siteURL: "site_url"
    case .item(let field): field.rawValue
    }
  }

  static let allCases: [ChangeField] =
    [ChangeField(.item(.seq)), ChangeField(.kind)]
    + ItemField.jsonColumns.filter { $0 != .seq }.map { ChangeField(.item($0)) }
    + [ChangeField(.folder), ChangeField(.siteURL)]

  static let defaultColumns: [ChangeField] =
    [ChangeField(.item(.seq)), ChangeField(.kind)]
    + [.id, .feedID, .title].map { ChangeField(.item($0)) }

  static let identity = ChangeField(.item(.id))

  var isTime: Bool {
    if case .item(let field) = column { return field.isTime }
    return false
  }

  func value(of entry: LogEntry) -> FieldValue {
    switch entry {
    case .item(let change): value(ofItem: change)
    case .feed(let change): value(ofFeed: change)
    }
  }

  private func value(ofItem change: Change) -> FieldValue {
    switch column {
    case .kind: .text(change.kind.rawValue)
    case .folder, .siteURL: .none
    case .item(.seq): .number(change.sequence)
    case .item(.id): .number(change.itemID.rawValue)
    case .item(.feedID): .number(change.feedID.rawValue)
    case .item(.guid): FieldValue(change.item?.guid ?? change.guid)
    case .item(let field): change.item.map(field.value(ofItem:)) ?? .none
    }
  }

  private func value(ofFeed change: FeedChange) -> FieldValue {
    switch column {
    case .kind: .text(change.kindName)
    case .folder: FieldValue(change.feed?.folder)
    case .siteURL: FieldValue(change.feed?.siteURL)
    case .item(.seq): .number(change.sequence)
    case .item(.feedID): .number(change.feedID.rawValue)
    case .item(.feedURL): .text(WebAddress.redacted(change.url))
    case .item(.feed), .item(.title): FieldValue(change.feed?.title)
    case .item: .none
    }
  }
}
