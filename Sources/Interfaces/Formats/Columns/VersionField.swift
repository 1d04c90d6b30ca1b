import Modules
import NewsCore

/// The columns of a version of an item.
enum VersionField: String, RecordField {
  case id, version, replaced, title
  case contentText = "content_text"

  static let defaultColumns: [VersionField] = [.id, .version, .replaced, .title]
  static let identity = VersionField.version
  var isTime: Bool { self == .replaced }

  func value(of version: VersionRecord) -> FieldValue {
    switch self {
    case .id: .number(version.itemID.rawValue)
    case .version: .number(Int64(version.number))
    case .replaced: FieldValue(version.replaced)
    case .title: .text(version.title)
    case .contentText: .text(version.text)
    }
  }
}
