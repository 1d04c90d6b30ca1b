public import Modules
public import NewsCore
public import NewsText
import NewsToolbox

/// How results are written: the format with its options, and the properties of the output.
public struct OutputShape: Sendable {
  public var format: OutputFormat
  /// Names of the columns to print; nil: the format's default.
  public var fields: [String]?
  /// True: print a line of column names before TSV and CSV; nil: the format's default.
  public var header: Bool?
  /// Text of the template, for the template format.
  public var template: String?
  /// Destination of the maildir format.
  public var mailDirectory: Maildir?
  public var terminal: Terminal

  public init(
    format: OutputFormat = .text,
    fields: [String]? = nil,
    header: Bool? = nil,
    template: String? = nil,
    mailDirectory: Maildir? = nil,
    terminal: Terminal
  ) {
    self.format = format
    self.fields = fields
    self.header = header
    self.template = template
    self.mailDirectory = mailDirectory
    self.terminal = terminal
  }

  /// The view of a table with these columns; `text` is the view for text. Throws a usage error for a format that
  /// tables do not support, an unknown column, or a syntax error in the template.
  public func view<Content: RecordContent>(
    _ columns: Columns<Content.Record>,
    text: any ContentView<Content>
  ) throws(UserMessage) -> any ContentView<Content> {
    _ = try OutputFormat(named: format.rawValue, among: OutputFormat.forRecords)
    return try encoder(columns).encoder.map { DocumentView($0) } ?? text
  }

  /// The view of a table with these columns; text has one line for each record.
  public func view<Record>(
    _ columns: Columns<Record>
  ) throws(UserMessage) -> any ContentView<RecordList<Record>> {
    try view(columns, text: RecordTextView(terminal: terminal))
  }

  /// The encoder of the selected columns, and the names of the columns that it writes; none for a format without
  /// columns.
  func encoder<Record>(
    _ columns: Columns<Record>
  ) throws(UserMessage) -> (encoder: (any RecordEncoding<Record>)?, columns: [String]) {
    let selected =
      if let fields {
        try columns.columns(named: fields)
      } else {
        format.showsAllColumns ? columns.json : columns.defaults
      }
    let shape: TableFormat
    switch format {
    case .tsv: shape = .tsv
    case .csv: shape = .csv
    case .json: shape = .json
    case .jsonl: shape = .jsonLines
    case .ids: return (TableEncoder(.ids, columns: [columns.identity]), [columns.identity.name])
    case .template:
      guard let template else {
        let text = "the template format needs --template TEXT or --template-file FILE"
        throw UserMessage(code: .usage, text: text)
      }
      let parsed = try Template(template, of: columns)
      return (TemplateEncoder(template: parsed, terminal: terminal), parsed.fields)
    default: return (nil, [])
    }
    let encoder = TableEncoder(
      shape,
      columns: selected,
      hasHeader: header ?? format.hasHeader,
      escapesFormulas: shape == .csv && terminal.escapesFormulas
    )
    return (encoder, selected.map(\.name))
  }
}

extension OutputShape {
  /// The view of subscriptions; `text` is the view for text. Throws as `view`. `lists` writes OPML, without secrets;
  /// at its end, calls `secretsLeftOut` with the number of feeds whose secrets it has omitted.
  public func feedView<Content: RecordContent<Feed>>(
    lists: any SubscriptionListCoding,
    secretsLeftOut: @escaping @Sendable (Int) -> Void,
    text: any ContentView<Content>
  ) throws(UserMessage) -> any ContentView<Content> {
    guard OutputFormat.forFeeds.contains(format) else {
      let known = OutputFormat.forFeeds.map(\.rawValue).joined(separator: ", ")
      throw UserMessage(
        code: .usage,
        text: "there is no \(format.rawValue) format for feeds. Use one of: \(known)."
      )
    }
    let encoder = try encoder(Tables.feeds).encoder
    if format == .opml { return DocumentView(OPMLEncoder(lists: lists, secretsLeftOut: secretsLeftOut)) }
    return encoder.map { DocumentView($0) } ?? text
  }
}

/// Writes subscriptions as OPML, without secrets.
private struct OPMLEncoder: RecordEncoding {
  let lists: any SubscriptionListCoding
  let secretsLeftOut: @Sendable (Int) -> Void
  private var feeds: [Feed] = []
  private var withoutSecrets = 0

  init(lists: any SubscriptionListCoding, secretsLeftOut: @escaping @Sendable (Int) -> Void) {
    self.lists = lists
    self.secretsLeftOut = secretsLeftOut
  }

  mutating func append(_ feed: Feed, to buffer: inout ByteBuffer) {
    guard !feed.isIngested else { return }
    let written = feed.withoutSecrets
    if written != feed { withoutSecrets += 1 }
    feeds.append(written)
  }

  mutating func end(_ buffer: inout ByteBuffer) {
    buffer.append(lists.encodeOPML(feeds, searches: [], title: "newsd subscriptions"))
    if withoutSecrets > 0 { secretsLeftOut(withoutSecrets) }
  }
}
