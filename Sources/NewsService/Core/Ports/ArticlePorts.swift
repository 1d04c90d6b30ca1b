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
  /// Sanitised, links absolute.
  public var html: String
  public var text: String
  /// Three of five runs of four words of the excerpt occur in the text; nil without an excerpt.
  public var isExcerptFound: Bool?
  /// The item's title is that of the page, or occurs in the text; nil without a title.
  public var isTitleFound: Bool?
  /// Address of the next page of the article, on the same host; only with a selector for it.
  public var nextPage: String?
  /// The page declares the article to be for subscribers, so this may be only its beginning.
  public var isPaid: Bool
  /// The selector for the content matched nothing, so that newsd looked for the article itself.
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

/// Why a page gives no article.
public enum ArticleRefusal: Error, Hashable, Sendable {
  /// The page asks for a login, consent or a proof of being human.
  case wall
  /// There is no text that reads like an article.
  case noArticle
  /// A selector is not valid.
  case selector(SelectorProblem)
}

/// What is wrong with a CSS selector, and where.
public struct SelectorProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// 1-based place in the text, in characters.
  public let place: Int
  public let message: String

  public init(place: Int, message: String) {
    self.place = place
    self.message = message
  }

  public var description: String { "\(message) at character \(place)" }
}

/// Extracts the article of a page.
public protocol ArticleExtracting: Sendable {
  /// Synchronous and CPU-bound, linear in the page.
  func article(inPage document: FeedDocument, hints: ArticleHints) throws(ArticleRefusal) -> PageArticle
}

/// An item whose page is to be read.
public struct ArticleJob: Hashable, Sendable {
  public var itemID: NewsItem.ID
  public var feed: Feed
  public var url: String
  public var title: String
  /// The feed's own text.
  public var feedText: String
  /// How often the page was asked for without success.
  public var attempts: Int
  public var validators: Validators?

  public init(
    itemID: NewsItem.ID,
    feed: Feed,
    url: String,
    title: String,
    feedText: String,
    attempts: Int = 0,
    validators: Validators? = nil
  ) {
    self.itemID = itemID
    self.feed = feed
    self.url = url
    self.title = title
    self.feedText = feedText
    self.attempts = attempts
    self.validators = validators
  }
}

/// What reading a page came to, to be stored.
public struct ArticleRecord: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable {
    case fetched(html: String, text: String)
    /// The server says that the page is as it was.
    case unchanged
    case refused(reason: String)
  }

  public var itemID: NewsItem.ID
  public var outcome: Outcome
  public var time: Timestamp
  public var attempts: Int
  /// When to ask again; nil: not on its own.
  public var due: Timestamp?
  public var validators: Validators?

  public init(
    itemID: NewsItem.ID,
    outcome: Outcome,
    time: Timestamp,
    attempts: Int = 0,
    due: Timestamp? = nil,
    validators: Validators? = nil
  ) {
    self.itemID = itemID
    self.outcome = outcome
    self.time = time
    self.attempts = attempts
    self.due = due
    self.validators = validators
  }
}

/// The store as fetching articles uses it.
public protocol ArticleKeeping: Sendable {
  /// Pages that are due, oldest request first. Each is taken for `lease` seconds: no other process gets it meanwhile, and
  /// it is due again after that if nothing was stored.
  func takeArticles(at time: Timestamp, limit: Int, lease: Int64) async throws(StoreError) -> [ArticleJob]
  /// The page of one item, due or not. Throws `noSuchItem`.
  func articleJob(of id: NewsItem.ID) async throws(StoreError) -> ArticleJob
  /// Stores what became of a page. The first article of an item makes no version and is a change of its state; a later
  /// one with another text is an edit with a version. An item that was removed meanwhile is passed over.
  func keep(_ record: ArticleRecord) async throws(StoreError)
  /// The newest items of a feed with their own texts, as jobs; those without a link are left out.
  func newestArticles(of feed: Feed.ID, limit: Int) async throws(StoreError) -> [ArticleJob]
}
