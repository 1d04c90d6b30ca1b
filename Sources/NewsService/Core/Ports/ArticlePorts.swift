/// Where a page has its article, as the user says it in CSS selectors.
public struct ArticleSelectors: Hashable, Sendable {
  /// What to take; everything that matches, in document order. Nil: newsd looks for the article itself.
  public var content: String?
  /// What to leave out of it.
  public var remove: String?
  /// The link to the next page of the same article.
  public var next: String?

  public init(content: String? = nil, remove: String? = nil, next: String? = nil) {
    self.content = content
    self.remove = remove
    self.next = next
  }

  public var isEmpty: Bool { content == nil && remove == nil && next == nil }
}

/// What is known of an item before its page is read.
public struct ArticleHints: Hashable, Sendable {
  /// The feed's own text of the item, HTML or plain.
  public var excerpt: String?
  public var title: String?
  public var selectors: ArticleSelectors

  public init(excerpt: String? = nil, title: String? = nil, selectors: ArticleSelectors = ArticleSelectors()) {
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
  /// The page says that the article is for subscribers: what is here may be its beginning only.
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

/// Takes the article out of a page.
public protocol ArticleExtracting: Sendable {
  /// Synchronous and CPU-bound, linear in the page.
  func article(inPage document: FeedDocument, hints: ArticleHints) throws(ArticleRefusal) -> PageArticle
  /// What is wrong with a list of selectors; nil when it can be used.
  func problem(inSelectors text: String) -> SelectorProblem?
}
