public import Modules
public import NewsCore
public import NewsText

/// How feeds are to be printed: a format with all that it needs.
public struct FeedOutput: Sendable {
  public let format: OutputFormat
  public let terminal: Terminal
  private let records: RecordOutput<FeedField>
  private let lists: (any SubscriptionListCoding)?
  private let title: String

  /// - Parameters:
  ///   - format: The shape.
  ///   - fields: Machine names of columns; nil: the format's own choice.
  ///   - header: A line of column names before TSV and CSV; nil: the format's own choice.
  ///   - template: For the format of that name.
  ///   - lists: Writes OPML.
  ///   - title: Of the OPML document.
  ///   - terminal: What text is made for.
  /// - Throws: A usage error for a format that feeds do not have, an unknown column, or a mistake in the template.
  public init(
    format: OutputFormat,
    fields: [String]? = nil,
    header: Bool? = nil,
    template: String? = nil,
    lists: (any SubscriptionListCoding)? = nil,
    title: String = "newsd subscriptions",
    terminal: Terminal
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
    return OPMLEncoder(lists: lists, title: title)
  }
}

/// A list of subscriptions, written by who can read one too.
struct OPMLEncoder: RecordEncoding {
  let lists: any SubscriptionListCoding
  let title: String
  private var feeds: [Feed] = []

  init(lists: any SubscriptionListCoding, title: String) {
    self.lists = lists
    self.title = title
  }

  mutating func append(_ feed: Feed, to buffer: inout ByteBuffer) {
    if !feed.isIngested { feeds.append(feed) }
  }

  mutating func end(_ buffer: inout ByteBuffer) {
    buffer.append(lists.encodeOPML(feeds, title: title))
  }
}
