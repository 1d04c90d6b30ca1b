import NewsService

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

enum PlanField: String, RecordField {
  case feedID = "feed_id"
  case feed
  case url
  case nextDue = "next_due"
  case nextDueReason = "next_due_reason"

  static let defaultColumns: [PlanField] = [.feed, .nextDue, .nextDueReason]
  static let identity = PlanField.feedID
  var isTime: Bool { self == .nextDue }

  func value(of entry: PollPlan.Entry) -> FieldValue {
    switch self {
    case .feedID: .number(entry.feed.id.rawValue)
    case .feed: .text(entry.feed.title)
    case .url: .text(WebAddress.redacted(entry.feed.url))
    case .nextDue: .time(entry.due)
    case .nextDueReason: .text(entry.reason.description)
    }
  }
}

enum FailureField: String, RecordField {
  case feedID = "feed_id"
  case feed
  case url
  case failures
  case failingSince = "failing_since"
  case lastError = "last_error"
  case advice

  static let defaultColumns: [FailureField] = [.feed, .failures, .failingSince, .lastError, .advice]
  static let identity = FailureField.feedID
  var isTime: Bool { self == .failingSince }

  func value(of entry: FailureReport.Entry) -> FieldValue {
    switch self {
    case .feedID: .number(entry.feed.id.rawValue)
    case .feed: .text(entry.feed.title)
    case .url: .text(WebAddress.redacted(entry.feed.url))
    case .failures: .number(Int64(entry.failures))
    case .failingSince: FieldValue(entry.since)
    case .lastError: .text(entry.error)
    case .advice: .text(entry.advice)
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
public struct PollPlanView: ContentView {
  private var list: RecordList<PlanField>

  public init(_ shape: RecordShape) throws(UserMessage) { list = try RecordList(shape) }

  public mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError) { try list.begin(&buffer) }
  public mutating func end(_ buffer: inout ByteBuffer) throws(OutputError) { try list.end(&buffer) }
  public mutating func render(
    _ content: PollPlanViewModel,
    isLast: Bool,
    _ buffer: inout ByteBuffer
  ) throws(OutputError) {
    try list.render(content.lines, &buffer)
  }
}

/// The feeds that fail, with what to do.
public struct FailuresView: ContentView {
  private var list: RecordList<FailureField>

  public init(_ shape: RecordShape) throws(UserMessage) { list = try RecordList(shape) }

  public mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError) { try list.begin(&buffer) }
  public mutating func end(_ buffer: inout ByteBuffer) throws(OutputError) { try list.end(&buffer) }
  public mutating func render(
    _ content: FailuresViewModel,
    isLast: Bool,
    _ buffer: inout ByteBuffer
  ) throws(OutputError) {
    try list.render(content.lines, &buffer)
  }
}
