public import Modules
public import NewsCore
public import NewsText
import NewsToolbox

/// How items are written.
public struct ItemOutput: Sendable {
  public let shape: OutputShape
  /// The parts of items that the store must read.
  public let parts: ItemParts
  /// The encoder of the format before its first item; nil for text.
  private let encoder: (any RecordEncoding<ItemMatch>)?

  /// `document` is the title and identity of feeds and pages, and `richText` renders HTML for mail and Markdown; nil:
  /// both are "newsd", and plain text. Throws a usage error for a format that items do not support, an unknown column,
  /// or a syntax error in the template.
  public init(
    _ shape: OutputShape,
    document: OutputDocument? = nil,
    richText: (any RichTextRendering)? = nil,
    pictures: DocumentPictures = DocumentPictures()
  ) throws(UserMessage) {
    guard OutputFormat.forItems.contains(shape.format) else {
      let isMetrics = shape.format == .prometheus
      let owner = isMetrics ? "metrics; use 'newsd status'" : "feeds; use 'newsd feeds export'"
      throw UserMessage(code: .usage, text: "the \(shape.format.rawValue) format is for \(owner)")
    }
    self.shape = shape
    let (table, columns) = try shape.encoder(Tables.items)
    let document = document ?? OutputDocument(time: shape.terminal.now)
    let other = try Self.encoder(shape, document, MailComposer(richText: richText), richText, pictures)
    encoder = table ?? other
    parts =
      switch shape.format {
      case .text: []
      case .sfeed, .atom, .rss, .jsonfeed, .greaderJSON, .html, .mbox, .maildir, .markdown: .all
      default: ItemColumn.parts(for: columns)
      }
  }

  /// The encoder of a format without columns; nil for text.
  private static func encoder(
    _ shape: OutputShape,
    _ document: OutputDocument,
    _ mail: MailComposer,
    _ richText: (any RichTextRendering)?,
    _ pictures: DocumentPictures
  ) throws(UserMessage) -> (any RecordEncoding<ItemMatch>)? {
    let zone = shape.terminal.zone
    switch shape.format {
    case .sfeed: return ItemEncoding(SfeedEncoder())
    case .atom: return ItemEncoding(AtomEncoder(document: document))
    case .rss: return ItemEncoding(RSSEncoder(document: document))
    case .jsonfeed: return ItemEncoding(JSONFeedEncoder(document: document))
    case .greaderJSON: return ItemEncoding(GreaderJSONEncoder())
    case .html: return ItemEncoding(HTMLPageEncoder(document: document, zone: zone, pictures: pictures))
    case .mbox: return ItemEncoding(MboxEncoder(mail: mail))
    case .maildir:
      guard let directory = shape.mailDirectory else {
        let text = "the maildir format needs --output DIR, the directory to deliver to"
        throw UserMessage(code: .usage, text: text)
      }
      return ItemEncoding(MaildirEncoder(mail: mail, directory: directory))
    case .markdown:
      return ItemEncoding(MarkdownEncoder(document: document, richText: richText, zone: zone))
    case .text, .opml, .prometheus, .tsv, .csv, .json, .jsonl, .ids, .template: return nil
    }
  }

  /// The parts of items that the format's view shows.
  public var needs: ItemNeeds { shape.format == .text ? .headlines : .records(parts) }

  /// The view of the format; `text` is the view for text.
  public func view<Content: RecordContent<ItemMatch>>(
    text: any ContentView<Content>
  ) -> any ContentView<Content> {
    encoder.map { DocumentView($0) } ?? text
  }

  /// Encodes one item as a complete document; in JSON Lines, one line.
  public func line(of item: NewsItem) throws(OutputError) -> [UInt8] {
    var buffer = ByteBuffer(capacity: 4096)
    guard var encoder else { return [] }
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
