/// A document as it came from the network or a file.
public struct FeedDocument: Sendable {
  /// Decoded from its content encoding (gzip and so on), not from its character encoding.
  public var bytes: [UInt8]
  /// The Content-Type field value.
  public var contentType: String?
  /// What relative links are resolved against when the document says nothing: the URL that answered.
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
  /// Synchronous and heavy on the processor: call it off the event loop. The HTML of the result is sanitised and
  /// `contentText` filled for every item.
  func parse(_ document: FeedDocument) throws(FeedParseError) -> ParsedFeed

  /// Hands over each item as soon as it is complete, in document order, and returns what is said of the feed itself,
  /// without items: memory for one item at a time. For the same reason plain text need not be made of an item's HTML:
  /// `contentText` beside `contentHTML` may be absent.
  func parse(
    _ document: FeedDocument,
    onItem: @escaping (ParsedItem) -> Void
  ) throws(FeedParseError) -> ParsedFeed

  /// The same for a document of any length that lies in a file: `bytes` stay where they are until this returns, and may
  /// be read again after their pages were given back to the system. `document` says everything else about them; its own
  /// bytes are not looked at.
  func parse(
    _ document: FeedDocument,
    mapped bytes: UnsafeBufferPointer<UInt8>,
    onItem: @escaping (ParsedItem) -> Void
  ) throws(FeedParseError) -> ParsedFeed

  /// What the document's publisher should mend, in document order; empty when there is nothing.
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
    mapped bytes: UnsafeBufferPointer<UInt8>,
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
  /// What it looks like, in words.
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
  /// What the page itself links to, best first.
  func feeds(inPage document: FeedDocument) -> [DiscoveredFeed]
  /// Addresses worth asking when the page links to none: the feed behind a known site's page, then well-known paths.
  func guesses(forPage url: String) -> [DiscoveredFeed]
}

/// What a list of subscriptions holds.
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

  /// What an entry says that newsd has no place for.
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
  /// The same with saved searches behind the feeds, in outlines that other programs pass over.
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
