/// Facts about an item that help to find its text on its page.
public struct ArticleHints: Hashable, Sendable {
  /// The feed's own text of the item, HTML or plain.
  public var excerpt: String?
  public var title: String?
  public var selectors: ArticleSelectors

  public init(excerpt: String? = nil, title: String? = nil, selectors: ArticleSelectors = ArticleSelectors())
  {
    self.excerpt = excerpt
    self.title = title
    self.selectors = selectors
  }
}

/// The article of a page.
public struct PageArticle: Hashable, Sendable {
  public var title: String?
  public var byline: String?
  public var published: Timestamp?
  /// The article as sanitized HTML with absolute links.
  public var html: String
  public var text: String
  /// True if at least three fifths of the excerpt's runs of four words occur in the text; nil without an
  /// excerpt.
  public var isExcerptFound: Bool?
  /// True if the item's title is the page's title or occurs in the text; nil without a title.
  public var isTitleFound: Bool?
  /// Address of the next page of the article, on the same host; only with a selector for it.
  public var nextPage: String?
  /// True if the page declares that the article is for subscribers only; `html` may then be only its
  /// beginning.
  public var isPaid: Bool
  /// True if the selector for the content matched nothing, so that newsd searched for the article itself.
  public var isSelectorUnmatched: Bool

  public init(
    title: String? = nil,
    byline: String? = nil,
    published: Timestamp? = nil,
    html: String,
    text: String,
    isExcerptFound: Bool? = nil,
    isTitleFound: Bool? = nil,
    nextPage: String? = nil,
    isPaid: Bool = false,
    isSelectorUnmatched: Bool = false
  ) {
    self.title = title
    self.byline = byline
    self.published = published
    self.html = html
    self.text = text
    self.isExcerptFound = isExcerptFound
    self.isTitleFound = isTitleFound
    self.nextPage = nextPage
    self.isPaid = isPaid
    self.isSelectorUnmatched = isSelectorUnmatched
  }
}

/// The reason why a page gives no article.
public enum ArticleRefusal: Error, Hashable, Sendable {
  /// The page is an error page, or asks for a login, consent or a proof of being human.
  case wall
  /// The page contains no text that looks like an article.
  case noArticle
  /// A selector is not valid.
  case selector(SelectorProblem)
}

/// An error in a CSS selector, and its position.
public struct SelectorProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The position in the text in characters, 1-based.
  public let position: Int
  public let message: String

  public init(position: Int, message: String) {
    self.position = position
    self.message = message
  }

  public var description: String { "\(message) at character \(position)" }
}

/// Extracts the article of a page.
public protocol ArticleExtracting: Sendable {
  /// Extracts the article. Synchronous and CPU-bound; the time is linear in the size of the page, and in the number of
  /// conditions of its selectors. In a cancelled task, the result may be any.
  func article(inPage document: FeedDocument, hints: ArticleHints) throws(ArticleRefusal) -> PageArticle
}

/// An item whose page is to be fetched.
public struct ArticleJob: Hashable, Sendable {
  public var itemID: NewsItem.ID
  public var feed: Feed
  public var url: String
  public var title: String
  /// The feed's own text; of pages that wait, its first `beginning` characters, as of the title.
  public var feedText: String
  /// The length of the whole text in bytes.
  public var feedBytes: Int
  /// The number of failed attempts to fetch the page.
  public var attempts: Int
  public var validators: Validators?

  /// Many pages wait in memory, and only the first words of a text are looked for in its page.
  public static let beginning = 16_384

  /// Without `feedBytes`, `feedText` is the whole text.
  public init(
    itemID: NewsItem.ID,
    feed: Feed,
    url: String,
    title: String,
    feedText: String,
    feedBytes: Int? = nil,
    attempts: Int = 0,
    validators: Validators? = nil
  ) {
    self.itemID = itemID
    self.feed = feed
    self.url = url
    self.title = title
    self.feedText = feedText
    self.feedBytes = feedBytes ?? feedText.utf8.count
    self.attempts = attempts
    self.validators = validators
  }
}

/// The result of fetching a page, for the store.
public struct ArticleRecord: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable {
    case fetched(html: String, text: String)
    /// The server answered 304: the page is unchanged.
    case unchanged
    case refused(reason: String)
  }

  public var itemID: NewsItem.ID
  public var outcome: Outcome
  public var time: Timestamp
  public var attempts = 0
  /// The time of the next attempt; nil: no attempt unless the user asks for one.
  public var due: Timestamp?
  public var validators: Validators?
}

/// The operations of the store that fetching articles needs.
public protocol ArticleKeeping: Sendable {
  /// Returns pages that are due, the oldest request first, each with the beginning of the feed's text and a lease of `lease`
  /// seconds. No other process gets these pages before the lease ends. A page without a stored result is then due again. A page
  /// that waits for longer than any can was queued by a clock that was ahead, and is due.
  func takeArticles(at time: Timestamp, limit: Int, lease: Int64) async throws(StoreError) -> [ArticleJob]
  /// Returns the job for the page of one item, due or not. Throws `noSuchItem`, or `badQuery` for an item
  /// without a link to a page.
  func articleJob(of id: NewsItem.ID) async throws(StoreError) -> ArticleJob
  /// Stores the result for a page. The first article of an item is logged as a change of state and makes no
  /// version; a later article with another text is logged as an edit and makes a version. Ignores items that
  /// were removed meanwhile.
  func keep(_ record: ArticleRecord) async throws(StoreError)
  /// Returns the newest items of a feed as jobs, with the feed's own texts; items without a link are skipped.
  func newestArticles(of feed: Feed.ID, limit: Int) async throws(StoreError) -> [ArticleJob]
}
