public import NewsService

/// How items are to be printed: a format with its columns.
public struct ItemOutput: Sendable {
  public let format: OutputFormat
  public let columns: [ItemField]
  public let hasHeader: Bool
  public let terminal: Terminal

  /// - Parameters:
  ///   - format: The shape.
  ///   - fields: Machine names of columns; nil: the format's own choice.
  ///   - header: A line of column names before TSV and CSV; nil: the format's own choice.
  ///   - terminal: What text is made for.
  /// - Throws: A usage error that names an unknown column.
  public init(
    format: OutputFormat,
    fields: [String]? = nil,
    header: Bool? = nil,
    terminal: Terminal
  ) throws(UserMessage) {
    self.format = format
    self.terminal = terminal
    if let fields {
      columns = try ItemField.columns(named: fields)
    } else {
      columns = format.showsAllColumns ? ItemField.allCases : ItemField.defaultColumns
    }
    hasHeader = header ?? format.hasHeader
  }

  /// What the store has to read for this.
  public var parts: ItemParts {
    switch format {
    case .text: []
    case .tsv, .csv, .json, .jsonl: columns.reduce(into: []) { $0.formUnion($1.parts) }
    }
  }

  /// Nil for text, which each module renders itself.
  func makeEncoder() -> (any RecordEncoding<NewsItem>)? {
    switch format {
    case .text: nil
    case .tsv, .csv, .json, .jsonl:
      format.tableShape.map { TableEncoder($0, columns: columns, hasHeader: hasHeader) }
    }
  }
}

extension OutputFormat {
  /// True for shapes whose readers pick what they want by name.
  var showsAllColumns: Bool { self == .json || self == .jsonl }
  var hasHeader: Bool { self == .csv }

  /// For the formats that write chosen columns.
  var tableShape: TableShape? {
    switch self {
    case .json: .json
    case .jsonl: .jsonLines
    case .tsv: .tsv
    case .csv: .csv
    case .text: nil
    }
  }

  /// Nil for text, which each module renders itself.
  ///
  /// - Throws: A usage error for a format that such records do not have.
  func makeTableEncoder<Field: RecordField>(
    columns: [Field],
    header: Bool?,
    of what: String
  ) throws(UserMessage) -> (any RecordEncoding<Field.Record>)? {
    guard self != .text else { return nil }
    guard let shape = tableShape else {
      throw UserMessage(
        code: .usage,
        text: "There is no \(rawValue) format for \(what). Use text, json, jsonl, tsv or csv."
      )
    }
    return TableEncoder(shape, columns: columns, hasHeader: header ?? hasHeader)
  }
}
