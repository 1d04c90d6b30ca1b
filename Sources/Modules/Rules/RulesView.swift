import NewsService

enum RuleField: String, RecordField {
  case number, action, query

  static let defaultColumns = Array(allCases)
  static let identity = RuleField.number
  var isTime: Bool { false }

  func value(of rule: Rule) -> FieldValue {
    switch self {
    case .number: .number(Int64(rule.number))
    case .action: .text(rule.actionList)
    case .query: .text(rule.query)
    }
  }
}

/// Rules in the format asked for.
public struct RulesView: ContentView {
  private let terminal: Terminal
  private var list: RecordList<RuleField>

  public init(_ shape: RecordShape) throws(UserMessage) {
    terminal = shape.terminal
    list = try RecordList(shape)
  }

  public mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError) { try list.begin(&buffer) }
  public mutating func end(_ buffer: inout ByteBuffer) throws(OutputError) { try list.end(&buffer) }

  public mutating func render(
    _ content: RulesViewModel,
    isLast: Bool,
    _ buffer: inout ByteBuffer
  ) throws(OutputError) {
    if let notice = content.notice {
      buffer.paint(notice, on: terminal)
      buffer.newLine()
    }
    try list.render(content.lines, &buffer)
  }
}
