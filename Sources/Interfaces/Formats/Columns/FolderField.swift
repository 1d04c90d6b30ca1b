import Modules

/// The columns of a folder.
enum FolderField: String, RecordField {
  case folder, feeds, unread, items

  static let defaultColumns: [FolderField] = [.folder, .feeds, .unread, .items]
  static let identity = FolderField.folder
  var isTime: Bool { false }

  func value(of folder: FolderSummary) -> FieldValue {
    switch self {
    case .folder: FieldValue(folder.name)
    case .feeds: .number(Int64(folder.feeds))
    case .unread: .number(Int64(folder.unread))
    case .items: .number(Int64(folder.items))
    }
  }
}
