public import Modules
public import NewsCore
public import NewsText
import NewsToolbox

/// How feeds are to be printed: a format with all that it needs.
public struct FeedOutput: Sendable {
  public let format: OutputFormat
  public let terminal: Terminal
  private let records: RecordOutput<FeedField>
  private let lists: (any SubscriptionListCoding)?
  private let title: String
  private let secretsLeftOut: @Sendable (Int) -> Void

  /// - Parameters:
  ///   - format: The shape.
  ///   - fields: Machine names of columns; nil: the format's own choice.
  ///   - header: A line of column names before TSV and CSV; nil: the format's own choice.
  ///   - template: For the format of that name.
  ///   - lists: Writes OPML.
  ///   - title: Of the OPML document.
  ///   - terminal: Width, colours, time zone and other properties of the output.
  ///   - secretsLeftOut: Called at the end of an OPML document with the number of feeds whose secrets it lacks, if any.
  /// - Throws: A usage error for a format that feeds do not have, an unknown column, or a mistake in the template.
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

  /// The view of the format; for text, `text`.
  public func view<Content: RecordContent<Feed>>(text: any ContentView<Content>) -> any ContentView<Content> {
    makeEncoder().map { DocumentView($0) } ?? text
  }

  private func makeEncoder() -> (any RecordEncoding<Feed>)? {
    guard format == .opml, let lists else { return records.makeEncoder() }
    return OPMLEncoder(lists: lists, title: title, secretsLeftOut: secretsLeftOut)
  }
}

/// Feeds as OPML; collects them, because the document nests folders.
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
