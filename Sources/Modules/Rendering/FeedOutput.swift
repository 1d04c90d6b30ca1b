import NewsService

/// How feeds are to be printed: a format with its columns.
public struct FeedOutput: Sendable {
  public let format: OutputFormat
  public let columns: [FeedField]
  public let terminal: Terminal
  private let table: (any RecordEncoding<Feed>)?

  /// - Parameters:
  ///   - format: The shape.
  ///   - fields: Machine names of columns; nil: the format's own choice.
  ///   - header: A line of column names before TSV and CSV; nil: the format's own choice.
  ///   - terminal: What text is made for.
  /// - Throws: A usage error for an unknown column, or a format that feeds do not have.
  public init(
    format: OutputFormat,
    fields: [String]? = nil,
    header: Bool? = nil,
    terminal: Terminal
  ) throws(UserMessage) {
    self.format = format
    self.terminal = terminal
    let preset = format.showsAllColumns ? FeedField.allCases : FeedField.defaultColumns
    columns = try fields.map { names throws(UserMessage) in try FeedField.columns(named: names) } ?? preset
    table = try format.makeTableEncoder(columns: columns, header: header, of: "feeds")
  }

  func makeEncoder() -> FeedEncoder {
    FeedEncoder(table: table)
  }
}

/// Feeds in a format for programs; text is the module's own.
struct FeedEncoder: Sendable {
  private var table: (any RecordEncoding<Feed>)?

  init(table: (any RecordEncoding<Feed>)?) {
    self.table = table
  }

  var isText: Bool { table == nil }

  mutating func begin(_ buffer: inout ByteBuffer) { table?.begin(&buffer) }
  mutating func append(_ feeds: [Feed], to buffer: inout ByteBuffer) {
    table?.append(contentsOf: feeds, to: &buffer)
  }
  mutating func end(_ buffer: inout ByteBuffer) { table?.end(&buffer) }
}
