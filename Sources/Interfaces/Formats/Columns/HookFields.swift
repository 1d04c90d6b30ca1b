import Modules
import NewsCore

/// The columns of a hook.
enum HookField: String, RecordField {
  case name, kind, target, state, pending, failed, delivered
  case lastDelivered = "last_delivered"
  case nextTry = "next_try"
  case lastError = "last_error"
  case lastErrorTime = "last_error_time"

  static let defaultColumns: [HookField] = [.name, .kind, .pending, .failed, .delivered, .lastError]
  static let identity = HookField.name
  var isTime: Bool { [.lastDelivered, .nextTry, .lastErrorTime].contains(self) }

  func value(of entry: HookSummary) -> FieldValue {
    switch self {
    case .name: .text(entry.state.name)
    case .kind: FieldValue(entry.hook?.target.kind)
    case .target: FieldValue(entry.hook?.displayTarget)
    case .state: .text(entry.condition.rawValue)
    case .pending: .number(Int64(entry.state.pending))
    case .failed: .number(Int64(entry.state.failed))
    case .delivered: .number(entry.state.delivered)
    case .lastDelivered: FieldValue(entry.state.lastDelivered)
    case .nextTry: FieldValue(entry.state.nextTry)
    case .lastError: FieldValue(entry.state.lastError)
    case .lastErrorTime: FieldValue(entry.state.lastErrorTime)
    }
  }
}

/// The columns of a delivery that was given up.
enum HookFailureField: String, RecordField {
  case key, hook, event, time, id, title, attempts, error

  static let defaultColumns: [HookFailureField] = [.key, .event, .id, .title, .attempts, .error]
  static let identity = HookFailureField.key
  var isTime: Bool { self == .time }

  func value(of failure: FailedHookEntry) -> FieldValue {
    switch self {
    case .key: .text(failure.key)
    case .hook: .text(failure.hook)
    case .event: .text(failure.entry.event.rawValue)
    case .time: .time(failure.entry.time)
    case .id: FieldValue(failure.entry.itemID?.rawValue)
    case .title: .text(failure.title)
    case .attempts: .number(Int64(failure.attempts))
    case .error: .text(failure.error)
    }
  }
}
