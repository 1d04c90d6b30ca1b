import NewsService

/// The columns of a change: its number and kind, then those of the item; of a deleted item only its ids are left.
struct ChangeField: RecordField {
  private enum Column: Hashable, Sendable {
    case kind
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
    case .item(let field): field.rawValue
    }
  }

  static let allCases: [ChangeField] =
    [ChangeField(.item(.seq)), ChangeField(.kind)]
    + ItemField.allCases.filter { $0 != .seq }.map { ChangeField(.item($0)) }

  static let defaultColumns: [ChangeField] =
    [ChangeField(.item(.seq)), ChangeField(.kind)]
    + [.id, .feedID, .title].map { ChangeField(.item($0)) }

  static let identity = ChangeField(.item(.id))

  var isTime: Bool {
    if case .item(let field) = column { return field.isTime }
    return false
  }

  func value(of change: Change) -> FieldValue {
    switch column {
    case .kind: .text(change.kind.rawValue)
    case .item(.seq): .number(change.sequence)
    case .item(.id): .number(change.itemID.rawValue)
    case .item(.feedID): .number(change.feedID.rawValue)
    case .item(.guid): FieldValue(change.item?.guid ?? change.guid)
    case .item(let field): change.item.map(field.value) ?? .none
    }
  }
}
