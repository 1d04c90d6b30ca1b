public import NewsCore

/// The view model of a module that lists records.
public struct RecordList<Record: Sendable>: RecordContent {
  public var lines: [RecordLine<Record>]
  public var notes: [DisplayText]
  public var nothing: DisplayText?
  public var failsIfEmpty: Bool
  public var answer: ExitStatus
  public var records: [Record] { lines.map(\.record) }
  public var rowCount: Int { lines.count }

  init(
    _ lines: [RecordLine<Record>] = [],
    notes: [String] = [],
    nothing: StaticString? = nil,
    failsIfEmpty: Bool = false,
    answer: ExitStatus = .done
  ) {
    self.lines = lines
    self.notes = notes.map { DisplayText(line: $0) }
    self.nothing = nothing.map { DisplayText($0) }
    self.failsIfEmpty = failsIfEmpty
    self.answer = answer
  }
}

/// A record with its line of text.
public struct RecordLine<Record: Sendable>: Sendable {
  public var record: Record
  public var text: DisplayText
  /// A second line, indented.
  public var note: DisplayText?

  init(_ record: Record, _ text: DisplayText, note: String? = nil) {
    self.record = record
    self.text = text
    self.note = note.map { DisplayText(line: $0) }
  }

  init(_ record: Record, _ text: String, note: String? = nil) {
    self.init(record, DisplayText(line: text), note: note)
  }

  /// A line of values with tabs between them.
  init(_ record: Record, columns: [String]) {
    self.init(record, .joined(columns.map { DisplayText(line: $0) }, by: "\t"))
  }
}

/// The view model of a module that only reports what it has done, in sentences.
public struct Outcome: ScreenContent {
  public var notes: [DisplayText]
  public var warnings: [DisplayText]
  public var rowCount: Int { 1 }

  init(_ notes: [String], warnings: [String] = []) {
    self.notes = notes.map { DisplayText(line: $0) }
    self.warnings = warnings.map { DisplayText(line: $0) }
  }
}

/// The view model of a module that only prints lines.
public struct TextLines: ScreenContent {
  public var lines: [DisplayText]
  public var warnings: [DisplayText] = []
  public var rowCount: Int { lines.count }
}

extension Container {
  /// The last container of a module that lists records.
  static func list<Record>(_ lines: [RecordLine<Record>], notes: [String] = [], nothing: StaticString? = nil)
    -> Container where Content == RecordList<Record>
  {
    .ready(RecordList(lines, notes: notes, nothing: nothing))
  }

  /// The last container of a module that lists records, after a change of them.
  static func note<Record>(_ text: String) -> Container where Content == RecordList<Record> {
    .ready(RecordList(notes: [text]))
  }

  /// The last container of a module that reports what it has done.
  static func outcome(_ notes: String..., warnings: [String] = []) -> Container where Content == Outcome {
    .ready(Outcome(notes, warnings: warnings))
  }

  static func failed(_ code: ExitStatus, _ text: String, keeping content: Content? = nil) -> Container {
    .failed(UserMessage(code: code, text: text), keeping: content)
  }
}

/// A view model with typed records, for the formats that programs read.
public protocol RecordContent<Record>: ScreenContent {
  associatedtype Record: Sendable
  var records: [Record] { get }
}

/// A view model whose records are items.
public protocol ItemContent: RecordContent where Record == ItemMatch {
  var items: [ItemMatch] { get }
}

extension ItemContent {
  public var records: [ItemMatch] { items }
  public var rowCount: Int { items.count }
}

/// The parts of items that a view shows; nothing else is read from the store or formatted.
public enum ItemNeeds: Hashable, Sendable {
  /// Lines for people; lists and searches may also show the total number of items.
  case headlines
  /// Items with these parts, and no lines.
  case records(ItemParts)

  var showsHeadlines: Bool { self == .headlines }
}
