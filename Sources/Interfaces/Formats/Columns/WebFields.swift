import Modules
import NewsCore

/// The columns of an app password.
enum AppPasswordField: String, RecordField {
  case name, made
  case lastUsed = "last_used"

  static let defaultColumns = Array(allCases)
  static let identity = AppPasswordField.name
  var isTime: Bool { self != .name }

  func value(of app: AppPassword) -> FieldValue {
    switch self {
    case .name: .text(app.name)
    case .made: FieldValue(app.made)
    case .lastUsed: FieldValue(app.lastUsed)
    }
  }
}

/// The columns of a browser's session.
enum WebSessionField: String, RecordField {
  case id, made
  case lastSeen = "last_seen"
  case address, agent

  static let defaultColumns = Array(allCases)
  static let identity = WebSessionField.id
  var isTime: Bool { self == .made || self == .lastSeen }

  func value(of session: WebSession) -> FieldValue {
    switch self {
    case .id: .number(session.id)
    case .made: FieldValue(session.made)
    case .lastSeen: FieldValue(session.lastSeen)
    case .address: .text(session.address)
    case .agent: .text(session.agent)
    }
  }
}

/// The columns of `web status`.
enum WebStatusField: String, RecordField {
  case name, value

  static let defaultColumns = Array(allCases)
  static let identity = WebStatusField.name
  var isTime: Bool { false }

  func value(of figure: WebStatusFigure) -> FieldValue {
    switch self {
    case .name: .text(figure.name)
    case .value: .text(figure.value)
    }
  }
}
