/// The column of a recent search.
enum SearchHistoryField: String, RecordField {
  case query

  static let defaultColumns: [SearchHistoryField] = [.query]
  static let identity = SearchHistoryField.query

  func value(of search: String) -> FieldValue { .text(search) }
  var isTime: Bool { false }
}

/// Recent searches: one a line, or as records with the one column `query`.
public struct SearchHistoryView: ContentView {
  private let terminal: Terminal
  private var encoder: (any RecordEncoding<String>)?

  /// - Throws: A usage error for a format that a list of searches does not have.
  public init(
    format: OutputFormat,
    fields: [String]? = nil,
    header: Bool? = nil,
    template: String? = nil,
    terminal: Terminal
  ) throws(UserMessage) {
    self.terminal = terminal
    let format = try OutputFormat(named: format.rawValue, among: OutputFormat.forRecords)
    encoder = try RecordOutput<SearchHistoryField>(
      format: format,
      fields: fields,
      header: header,
      template: template,
      terminal: terminal
    ).makeEncoder()
  }

  public mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError) { try encoder?.begin(&buffer) }
  public mutating func end(_ buffer: inout ByteBuffer) throws(OutputError) { try encoder?.end(&buffer) }

  public mutating func render(_ content: SearchHistoryViewModel, isLast: Bool, _ buffer: inout ByteBuffer)
    throws(OutputError)
  {
    guard encoder == nil else {
      try encoder?.append(contentsOf: content.searches, to: &buffer)
      return
    }
    for search in content.searches {
      buffer.paint(DisplayText(line: search), on: terminal)
      buffer.newLine()
    }
  }
}
