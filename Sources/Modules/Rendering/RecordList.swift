/// How a small list of records is to be printed: a format with all that it needs.
public struct RecordShape: Sendable {
  public var format: OutputFormat
  /// Machine names of columns; nil: the format's own choice.
  public var fields: [String]?
  /// A line of column names before TSV and CSV; nil: the format's own choice.
  public var header: Bool?
  /// For the format of that name.
  public var template: String?
  public var terminal: Terminal

  public init(
    format: OutputFormat,
    fields: [String]? = nil,
    header: Bool? = nil,
    template: String? = nil,
    terminal: Terminal
  ) {
    self.format = format
    self.fields = fields
    self.header = header
    self.template = template
    self.terminal = terminal
  }
}

extension RecordOutput {
  /// - Throws: A usage error for a format that records do not have, an unknown column, or a mistake in the template.
  init(_ shape: RecordShape) throws(UserMessage) {
    try self.init(
      format: OutputFormat(named: shape.format.rawValue, among: OutputFormat.forRecords),
      fields: shape.fields,
      header: shape.header,
      template: shape.template,
      terminal: shape.terminal
    )
  }
}

/// Records with the line that people see of each.
struct RecordLine<Record: Sendable>: Sendable {
  var record: Record
  var text: DisplayText
  /// A second line, indented.
  var note: DisplayText?
}

/// Prints records in the format asked for; as text, a line each.
struct RecordList<Field: RecordField>: Sendable {
  private let terminal: Terminal
  private var encoder: (any RecordEncoding<Field.Record>)?

  /// - Parameter shape: How to print them.
  /// - Throws: A usage error for a format that records do not have, an unknown column, or a mistake in the template.
  init(_ shape: RecordShape) throws(UserMessage) {
    terminal = shape.terminal
    encoder = try RecordOutput<Field>(shape).makeEncoder()
  }

  mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError) { try encoder?.begin(&buffer) }
  mutating func end(_ buffer: inout ByteBuffer) throws(OutputError) { try encoder?.end(&buffer) }

  mutating func render(_ lines: [RecordLine<Field.Record>], _ buffer: inout ByteBuffer) throws(OutputError) {
    guard encoder == nil else {
      try encoder?.append(contentsOf: lines.map(\.record), to: &buffer)
      return
    }
    for line in lines {
      buffer.paint(line.text, on: terminal)
      buffer.newLine()
      guard let note = line.note else { continue }
      buffer.spaces(4)
      buffer.paint(note, .faint, on: terminal)
      buffer.newLine()
    }
  }
}
