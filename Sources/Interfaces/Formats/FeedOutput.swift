public import Modules
public import NewsCore
public import NewsText
import NewsToolbox

/// The output format for feeds, with its options.
public struct FeedOutput: Sendable {
  public let format: OutputFormat
  public let terminal: Terminal
  private let records: RecordOutput<FeedField>
  private let lists: (any SubscriptionListCoding)?
  private let title: String
  private let secretsLeftOut: @Sendable (Int) -> Void

  /// - Parameters:
  ///   - format: The format.
  ///   - fields: Machine names of columns; nil: the format's default.
  ///   - header: True: print a line of column names before TSV and CSV; nil: the format's default.
  ///   - template: Text of the template, for the template format.
  ///   - lists: Writes OPML.
  ///   - title: Title of the OPML document.
  ///   - terminal: Width, colours, time zone and other properties of the output.
  ///   - secretsLeftOut: Called at the end of an OPML document that omits secrets, with the number of feeds
  ///     concerned.
  /// - Throws: A usage error for a format that feeds do not support, an unknown column, or a syntax error in the
  ///   template.
  public init(
    format: OutputFormat,
    fields: [String]? = nil,
    header: Bool? = nil,
    template: String? = nil,
    lists: (any SubscriptionListCoding)? = nil,
    title: String = "newsd subscriptions",
    terminal: Terminal,
    secretsLeftOut: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws(UserMessage) {
    guard OutputFormat.forFeeds.contains(format), format != .opml || lists != nil else {
      let known = OutputFormat.forFeeds.map(\.rawValue).joined(separator: ", ")
      throw UserMessage(
        code: .usage,
        text: "There is no \(format.rawValue) format for feeds. Use one of: \(known)."
      )
    }
    self.format = format
    self.terminal = terminal
    self.lists = lists
    self.title = title
    self.secretsLeftOut = secretsLeftOut
    records = try RecordOutput(
      format: format,
      fields: fields,
      header: header,
      template: template,
      terminal: terminal
    )
  }

  /// The view of the format; `text` is the view for text.
  public func view<Content: RecordContent<Feed>>(text: any ContentView<Content>) -> any ContentView<Content> {
    makeEncoder().map { DocumentView($0) } ?? text
  }

  private func makeEncoder() -> (any RecordEncoding<Feed>)? {
    guard format == .opml, let lists else { return records.makeEncoder() }
    return OPMLEncoder(lists: lists, title: title, secretsLeftOut: secretsLeftOut)
  }
}

/// Encodes feeds as OPML. Collects all feeds first, because the document nests folders.
struct OPMLEncoder: RecordEncoding {
  let lists: any SubscriptionListCoding
  let title: String
  let secretsLeftOut: @Sendable (Int) -> Void
  private var feeds: [Feed] = []
  private var withoutSecrets = 0

  init(
    lists: any SubscriptionListCoding,
    title: String,
    secretsLeftOut: @escaping @Sendable (Int) -> Void
  ) {
    self.lists = lists
    self.title = title
    self.secretsLeftOut = secretsLeftOut
  }

  mutating func append(_ feed: Feed, to buffer: inout ByteBuffer) {
    guard !feed.isIngested else { return }
    let written = feed.withoutSecrets
    if written != feed { withoutSecrets += 1 }
    feeds.append(written)
  }

  mutating func end(_ buffer: inout ByteBuffer) {
    buffer.append(lists.encodeOPML(feeds, title: title))
    if withoutSecrets > 0 { secretsLeftOut(withoutSecrets) }
  }
}
