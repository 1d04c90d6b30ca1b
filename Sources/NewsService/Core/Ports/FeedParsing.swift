/// A document as received from the network or a file.
public struct FeedDocument: Hashable, Sendable {
  /// Decoded from its content encoding (gzip and so on), but not from its character encoding.
  public var bytes: [UInt8]
  /// The Content-Type field value.
  public var contentType: String?
  /// The base of relative URLs unless the document declares one: the URL of the response.
  public var baseURL: String?
  /// Overrides every declaration of a character encoding.
  public var encoding: String?

  public init(bytes: [UInt8], contentType: String? = nil, baseURL: String? = nil, encoding: String? = nil) {
    self.bytes = bytes
    self.contentType = contentType
    self.baseURL = baseURL
    self.encoding = encoding
  }
}

/// Parses feed documents.
public protocol FeedParsing: Sendable {
  /// Parses a document. Synchronous and CPU-bound: call it off the event loop. The resulting HTML is sanitized, and
  /// every item has `contentText`.
  func parse(_ document: FeedDocument) throws(FeedParseError) -> ParsedFeed

  /// Passes each complete item to `onItem` in document order and returns the feed without items, so that memory holds
  /// one item at a time. An item with `contentHTML` may lack `contentText`.
  func parse(
    _ document: FeedDocument,
    onItem: @escaping (ParsedItem) -> Void
  ) throws(FeedParseError) -> ParsedFeed

  /// Parses a file of any length item by item, without holding it in memory. `document` supplies everything
  /// but the bytes; `-` is standard input. Returns the feed without items; nil if the file cannot be read in
  /// parts: a pipe, an empty or a missing file.
  func parse(
    _ document: FeedDocument,
    fileAt path: String,
    onItem: @escaping (ParsedItem) -> Void
  ) throws(FeedParseError) -> ParsedFeed?

  /// Returns the problems that the document's publisher should fix, in document order.
  func check(_ document: FeedDocument) throws(FeedParseError) -> [SyntaxProblem]
}

extension FeedParsing {
  public func parse(
    _ document: FeedDocument,
    onItem: @escaping (ParsedItem) -> Void
  ) throws(FeedParseError) -> ParsedFeed {
    var feed = try parse(document)
    for item in feed.items { onItem(item) }
    feed.items = []
    return feed
  }

  public func parse(
    _ document: FeedDocument,
    fileAt path: String,
    onItem: @escaping (ParsedItem) -> Void
  ) throws(FeedParseError) -> ParsedFeed? { nil }

  public func check(_ document: FeedDocument) throws(FeedParseError) -> [SyntaxProblem] {
    try parse(document).problems
  }
}

/// Why a document is not a feed.
public typealias FeedParseError = CodedError<FeedParseErrorCode>

/// What a document is instead of a feed.
public enum FeedParseErrorCode: Hashable, Sendable {
  case empty
  /// An HTML page, possibly with links to feeds.
  case htmlPage
  /// Something else: a picture, an archive, plain text, XML of another kind.
  case notAFeed
}

/// A feed that a web page refers to.
public struct DiscoveredFeed: Hashable, Sendable {
  public var url: String
  public var title: String?
  public var mimeType: String?
  public init(url: String, title: String? = nil, mimeType: String? = nil) {
    self.url = url
    self.title = title
    self.mimeType = mimeType
  }
}

/// Finds the feeds of a web page.
public protocol FeedDiscovering: Sendable {
  /// Feeds that the page links to, best first.
  func feeds(inPage document: FeedDocument) -> [DiscoveredFeed]
  /// Returns candidate URLs for a page without links to feeds: the feed URL that a known site uses for such a page,
  /// then well-known paths.
  func guesses(forPage url: String) -> [DiscoveredFeed]
}

/// The content of a list of subscriptions.
public struct SubscriptionList: Hashable, Sendable {
  /// An entry that cannot be subscribed to.
  public struct Skipped: Hashable, Sendable {
    /// Line number, 1-based; 0 when unknown.
    public var line: Int
    /// The entry as written, shortened.
    public var entry: String
    /// The reason, in words: "runs a command", …
    public var reason: String
    public init(line: Int, entry: String, reason: String) {
      self.line = line
      self.entry = entry
      self.reason = reason
    }
  }

  /// Settings of an entry that have no equivalent in newsd.
  public struct UnsupportedSettings: Hashable, Sendable {
    public var url: String
    /// Names of the settings in the list's own terms: `frss:cssFullContent`, `tag x`, …
    public var what: [String]
    public init(url: String, what: [String]) {
      self.url = url
      self.what = what
    }
  }

  /// A rule that the list defines for an entry.
  public struct EntryRule: Hashable, Sendable {
    /// The entry's URL.
    public var url: String
    /// Selects items of that entry only.
    public var query: String
    public var actions: [RuleAction]

    public init(url: String, query: String, actions: [RuleAction]) {
      self.url = url
      self.query = query
      self.actions = actions
    }
  }

  /// The list's own title.
  public var title: String?
  /// The subscriptions, in the order of the list.
  public var feeds: [NewFeed]
  /// Saved searches; only newsd's own lists have them.
  public var searches: [SavedSearch] = []
  public var skipped: [Skipped] = []
  public var leftOut: [UnsupportedSettings] = []
  /// True when the list ends before its last element is closed.
  public var isTruncated = false
  /// The rules that the list defines for its entries.
  public var rules: [EntryRule] = []

  public init(feeds: [NewFeed] = []) {
    self.feeds = feeds
  }
}

/// Reads and writes lists of subscriptions.
public protocol SubscriptionListCoding: Sendable {
  /// Decodes OPML 1.0–2.0, a newsboat `urls` file or an sfeedrc. The content decides which; nothing is executed. Skips
  /// `file:` and `exec:` feeds, filters, and lines that only a shell could interpret.
  func decodeList(_ bytes: [UInt8]) throws(FeedParseError) -> SubscriptionList
  /// Encodes OPML 2.0 with nested folders, in the user's order, followed by saved searches in outlines that other programs
  /// ignore.
  func encodeOPML(_ feeds: [Feed], searches: [SavedSearch], title: String) -> String
}
