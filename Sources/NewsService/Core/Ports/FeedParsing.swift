/// A document as it came from the network or a file.
public struct FeedDocument: Hashable, Sendable {
  /// Decoded from its content encoding (gzip and so on), not from its character encoding.
  public var bytes: [UInt8]
  /// The Content-Type field value.
  public var contentType: String?
  /// The base of relative links when the document names none: the URL of the response.
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

/// Turns documents into feeds.
public protocol FeedParsing: Sendable {
  /// Parses a document. Synchronous and CPU-bound: call it off the event loop. The HTML of the result is sanitised, and
  /// every item has `contentText`.
  func parse(_ document: FeedDocument) throws(FeedParseError) -> ParsedFeed

  /// Hands over each item when it is complete, in document order, and returns the feed without items: this needs memory
  /// for one item. `contentText` may be absent beside `contentHTML`.
  func parse(
    _ document: FeedDocument,
    onItem: @escaping (ParsedItem) -> Void
  ) throws(FeedParseError) -> ParsedFeed

  /// Parses a file of any length item by item. `bytes` are the contents of the file, valid until this returns, and the
  /// parser may have the system read them again. `document` has everything else; its own bytes are ignored.
  func parse(
    _ document: FeedDocument,
    file bytes: UnsafeBufferPointer<UInt8>,
    onItem: @escaping (ParsedItem) -> Void
  ) throws(FeedParseError) -> ParsedFeed

  /// Findings for the document's publisher, in document order.
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
    file bytes: UnsafeBufferPointer<UInt8>,
    onItem: @escaping (ParsedItem) -> Void
  ) throws(FeedParseError) -> ParsedFeed {
    var document = document
    document.bytes = Array(bytes)
    return try parse(document, onItem: onItem)
  }

  public func check(_ document: FeedDocument) throws(FeedParseError) -> [SyntaxProblem] {
    try parse(document).problems
  }
}

/// Why a document is not a feed.
public struct FeedParseError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: Hashable, Sendable {
    case empty
    /// An HTML page; perhaps with links to feeds.
    case htmlPage
    /// Something else: a picture, an archive, plain text, XML of another kind.
    case notAFeed
    case tooLarge
  }
  public let code: Code
  /// A description of the kind of document.
  public let message: String
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }
  public var description: String { message }
}

/// A feed that a page points to.
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

/// Finds the feeds of a page.
public protocol FeedDiscovering: Sendable {
  /// Feeds that the page links to, best first.
  func feeds(inPage document: FeedDocument) -> [DiscoveredFeed]
  /// Addresses worth asking when the page links to none: the feed behind a known site's page, then well-known paths.
  func guesses(forPage url: String) -> [DiscoveredFeed]
}

/// The content of a list of subscriptions.
public struct SubscriptionList: Hashable, Sendable {
  /// An entry that cannot be subscribed to.
  public struct Skipped: Hashable, Sendable {
    /// 1-based; 0 when unknown.
    public var line: Int
    /// The entry as written, shortened.
    public var entry: String
    /// Why, in words: "runs a command", …
    public var reason: String
    public init(line: Int, entry: String, reason: String) {
      self.line = line
      self.entry = entry
      self.reason = reason
    }
  }

  /// Settings of an entry that newsd has no equivalent for.
  public struct LeftOut: Hashable, Sendable {
    public var url: String
    /// In the list's own words: `frss:cssFullContent`, `tag x`, …
    public var what: [String]
    public init(url: String, what: [String]) {
      self.url = url
      self.what = what
    }
  }

  /// A rule that comes with an entry.
  public struct EntryRule: Hashable, Sendable {
    public var query: String
    public var actions: [RuleAction]
    public init(query: String, actions: [RuleAction]) {
      self.query = query
      self.actions = actions
    }
  }

  /// The list's own title.
  public var title: String?
  /// In the order of the list.
  public var feeds: [NewFeed]
  /// Only newsd's own lists have them.
  public var searches: [SavedSearch]
  public var skipped: [Skipped]
  public var leftOut: [LeftOut] = []
  /// The list ends before its last element does.
  public var isTruncated = false
  /// For the items of single feeds, which each query names.
  public var rules: [EntryRule] = []

  public init(
    title: String? = nil,
    feeds: [NewFeed] = [],
    searches: [SavedSearch] = [],
    skipped: [Skipped] = []
  ) {
    self.title = title
    self.feeds = feeds
    self.searches = searches
    self.skipped = skipped
  }
}

/// Reads and writes lists of subscriptions.
public protocol SubscriptionListCoding: Sendable {
  /// OPML 1.0–2.0, a newsboat `urls` file or an sfeedrc, told apart by content; never executed.
  func decode(_ bytes: [UInt8]) throws(FeedParseError) -> [NewFeed]
  /// The same, with what the list says besides and the entries that were left out: `file:` and `exec:` feeds, filters,
  /// lines that only a shell could read.
  func decodeList(_ bytes: [UInt8]) throws(FeedParseError) -> SubscriptionList
  /// OPML 2.0, folders nested, in the user's order.
  func encodeOPML(_ feeds: [Feed], title: String) -> String
  /// The same, followed by saved searches in outlines that other programs ignore.
  func encodeOPML(_ feeds: [Feed], searches: [SavedSearch], title: String) -> String
}

extension SubscriptionListCoding {
  public func encodeOPML(_ feeds: [Feed], searches: [SavedSearch], title: String) -> String {
    encodeOPML(feeds, title: title)
  }

  public func decodeList(_ bytes: [UInt8]) throws(FeedParseError) -> SubscriptionList {
    SubscriptionList(feeds: try decode(bytes))
  }
}
