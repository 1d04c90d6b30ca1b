import Modules
import NewsText

/// The output formats with selectable columns, for any kind of record.
struct RecordOutput<Field: RecordField>: Sendable {
  let format: OutputFormat
  let columns: [Field]
  private let hasHeader: Bool
  private let template: Template<Field>?
  private let terminal: Terminal

  /// Without `fields` and `header`, the format's defaults apply. Throws a usage error that names an unknown
  /// column, or the position of a syntax error in the template.
  init(
    format: OutputFormat,
    fields: [String]?,
    header: Bool?,
    template: String?,
    terminal: Terminal
  ) throws(UserMessage) {
    self.format = format
    self.terminal = terminal
    if let fields {
      columns = try Field.columns(named: fields)
    } else {
      columns = format.showsAllColumns ? Field.jsonColumns : Field.defaultColumns
    }
    hasHeader = header ?? format.hasHeader
    guard format == .template else {
      self.template = nil
      return
    }
    guard let template else {
      throw UserMessage(
        code: .usage,
        text: "The template format needs --template TEXT or --template-file FILE."
      )
    }
    self.template = try Template(template)
  }

  /// The columns that will be written.
  var usedColumns: [Field] {
    switch format {
    case .tsv, .csv, .json, .jsonl: columns
    case .ids: [Field.identity]
    case .template: template?.fields ?? []
    default: []
    }
  }

  /// The encoder of the format; nil for formats without selectable columns.
  func makeEncoder() -> (any RecordEncoding<Field.Record>)? {
    switch format {
    case .tsv: TableEncoder(.tsv, columns: columns, hasHeader: hasHeader)
    case .csv:
      TableEncoder(
        .csv,
        columns: columns,
        hasHeader: hasHeader,
        escapesFormulas: terminal.escapesFormulas
      )
    case .json: TableEncoder(.json, columns: columns, hasHeader: hasHeader)
    case .jsonl: TableEncoder(.jsonLines, columns: columns, hasHeader: hasHeader)
    case .ids: TableEncoder<Field>(.ids, columns: [], hasHeader: false)
    case .template: template.map { TemplateEncoder(template: $0, terminal: terminal) }
    default: nil
    }
  }
}
