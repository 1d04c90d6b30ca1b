import Modules
import NewsCore

/// The columns of a process that shares a store.
enum NodeField: String, RecordField {
  case name, version, since, feeds
  case lastBeat = "last_beat"

  static let defaultColumns: [NodeField] = [.name, .version, .since, .feeds, .lastBeat]
  static let identity = NodeField.name
  var isTime: Bool { [.since, .lastBeat].contains(self) }

  func value(of node: StoreNode) -> FieldValue {
    switch self {
    case .name: .text(node.name)
    case .version: .text(node.version)
    case .since: .time(node.since)
    case .feeds: .number(Int64(node.feeds))
    case .lastBeat: .time(node.lastBeat)
    }
  }
}
