public import Modules
public import NewsCore
public import NewsText
import NewsToolbox

/// The output format for items, with its options.
public struct ItemOutput: Sendable {
  public let format: OutputFormat
  public let terminal: Terminal
  private let records: RecordOutput<ItemField>
  private let document: OutputDocument
  private let richText: (any RichTextRendering)?
  private let mailDirectory: Maildir?

  /// - Parameters:
  ///   - format: The format.
  ///   - fields: Machine names of columns; nil: the format's default.
  ///   - header: True: print a line of column names before TSV and CSV; nil: the format's default.
  ///   - template: Text of the template, for the template format.
  ///   - document: Title and identity of feeds and pages; nil: both are "newsd".
  ///   - richText: Renders HTML for mail and Markdown; nil: they contain plain text.
  ///   - mailDirectory: Destination of the maildir format.
  ///   - terminal: Width, colours, time zone and other properties of the output.
  /// - Throws: A usage error for a format that items do not support, an unknown column, or a syntax error in the
  ///   template.
  public init(
    format: OutputFormat,
    fields: [String]? = nil,
    header: Bool? = nil,
    template: String? = nil,
    document: OutputDocument? = nil,
    richText: (any RichTextRendering)? = nil,
    mailDirectory: Maildir? = nil,
    terminal: Terminal
  ) throws(UserMessage) {
    guard OutputFormat.forItems.contains(format) else {
      let owner = format == .prometheus ? "metrics; use 'newsd status'" : "feeds; use 'newsd feeds export'"
      throw UserMessage(code: .usage, text: "The \(format.rawValue) format is for \(owner).")
    }
    guard format != .maildir || mailDirectory != nil else {
      throw UserMessage(
        code: .usage,
        text: "The maildir format needs --output DIR, the directory to deliver to."
      )
    }
    self.format = format
    self.terminal = terminal
    self.document = document ?? OutputDocument(time: terminal.now)
    self.richText = richText
    self.mailDirectory = mailDirectory
    records = try RecordOutput(
      format: format,
      fields: fields,
      header: header,
      template: template,
      terminal: terminal
    )
  }

  /// The parts of items that the store must read.
  public var parts: ItemParts {
    switch format {
    case .text, .opml, .prometheus: []
    case .tsv, .csv, .json, .jsonl, .ids, .template:
      records.usedColumns.reduce(into: []) { $0.formUnion($1.parts) }
    case .sfeed, .atom, .rss, .jsonfeed, .html, .mbox, .maildir, .markdown: .all
    }
  }

  /// The parts of items that the format's view shows.
  public var needs: ItemNeeds { format == .text ? .headlines : .records(parts) }

  /// The view of the format; `text` is the view for text.
  public func view<Content: RecordContent<ItemMatch>>(
    text: any ContentView<Content>
  ) -> any ContentView<Content> {
    makeEncoder().map { DocumentView($0) } ?? text
  }

  /// The encoder of the format; nil for text.
  private func makeEncoder() -> (any RecordEncoding<ItemMatch>)? {
    switch format {
    case .text, .opml, .prometheus: nil
    case .tsv, .csv, .json, .jsonl, .ids, .template: records.makeEncoder()
    case .sfeed: ItemEncoding(SfeedEncoder())
    case .atom: ItemEncoding(AtomEncoder(document: document))
    case .rss: ItemEncoding(RSSEncoder(document: document))
    case .jsonfeed: ItemEncoding(JSONFeedEncoder(document: document))
    case .html: ItemEncoding(HTMLPageEncoder(document: document, zone: terminal.zone))
    case .mbox: ItemEncoding(MboxEncoder(mail: MailComposer(richText: richText)))
    case .maildir:
      mailDirectory.map {
        ItemEncoding(MaildirEncoder(mail: MailComposer(richText: richText), directory: $0))
      }
    case .markdown:
      ItemEncoding(MarkdownEncoder(document: document, richText: richText, zone: terminal.zone))
    }
  }

  /// Encodes one item as a complete document; in JSON Lines, one line.
  public func line(of item: NewsItem) throws(OutputError) -> [UInt8] {
    var buffer = ByteBuffer(capacity: 4096)
    guard var encoder = makeEncoder() else { return [] }
    try encoder.begin(&buffer)
    try encoder.append(ItemMatch(item: item), to: &buffer)
    try encoder.end(&buffer)
    return buffer.withBytes { Array($0) }
  }
}

/// Adapts an encoder of items to matches of a search, whose excerpts it ignores.
private struct ItemEncoding<Encoder: RecordEncoding<NewsItem>>: RecordEncoding {
  private var encoder: Encoder

  init(_ encoder: Encoder) { self.encoder = encoder }

  mutating func begin(_ buffer: inout ByteBuffer) throws(OutputError) { try encoder.begin(&buffer) }
  mutating func append(_ match: ItemMatch, to buffer: inout ByteBuffer) throws(OutputError) {
    try encoder.append(match.item, to: &buffer)
  }
  mutating func end(_ buffer: inout ByteBuffer) throws(OutputError) { try encoder.end(&buffer) }
}
