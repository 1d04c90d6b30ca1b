import NewsCore

enum StatusField: String, RecordField {
  case store, feeds, items, unread, due, failing, gone
  case nextDue = "next_due"
  case lastFetched = "last_fetched"
  case seq

  static let defaultColumns = Array(allCases)
  static let identity = StatusField.store
  var isTime: Bool { self == .nextDue || self == .lastFetched }

  func value(of summary: StatusSummary) -> FieldValue {
    switch self {
    case .store: .text(summary.store)
    case .feeds: .number(Int64(summary.feeds))
    case .items: .number(Int64(summary.items))
    case .unread: .number(Int64(summary.unread))
    case .due: .number(Int64(summary.due))
    case .failing: .number(Int64(summary.failing))
    case .gone: .number(Int64(summary.gone))
    case .nextDue: FieldValue(summary.nextDue)
    case .lastFetched: FieldValue(summary.lastFetched)
    case .seq: .number(summary.sequence)
    }
  }
}

/// The figures of a store.
public struct StatusSummaryView: ContentView {
  private let terminal: Terminal
  private let isText: Bool
  private var list: RecordList<StatusField>

  public init(_ shape: RecordShape) throws(UserMessage) {
    terminal = shape.terminal
    isText = shape.format == .text
    list = try RecordList(shape)
  }

  public mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError) { try list.begin(&buffer) }
  public mutating func end(_ buffer: inout ByteBuffer) throws(OutputError) { try list.end(&buffer) }

  public mutating func render(
    _ content: StatusSummaryViewModel,
    isLast: Bool,
    _ buffer: inout ByteBuffer
  ) throws(OutputError) {
    guard isText else {
      return try list.render([RecordLine(record: content.summary, text: DisplayText(line: ""))], &buffer)
    }
    for line in content.lines {
      buffer.paint(line, on: terminal)
      buffer.newLine()
    }
  }
}

/// The polls to come.
public typealias PollPlanView = RecordListView<PollPlanViewModel>

/// The feeds that fail, with what to do.
public typealias FailuresView = RecordListView<FailuresViewModel>

extension PollPlanView {
  public init(_ shape: RecordShape) throws(UserMessage) { try self.init(records: shape) }
}

extension FailuresView {
  public init(_ shape: RecordShape) throws(UserMessage) { try self.init(records: shape) }
}
