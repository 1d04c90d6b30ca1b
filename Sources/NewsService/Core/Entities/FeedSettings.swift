/// The user's settings for one feed; nil: the general configuration applies.
///
/// `credential` says where a secret is kept; the secret itself is never stored here.
public struct FeedSettings: Hashable, Sendable {
  /// Lower and upper bound of the poll interval, in seconds.
  public var minimumInterval: Int64?
  public var maximumInterval: Int64?
  public var userAgent: String?
  /// Extra request headers, in order, as `Name: value`.
  public var headers: [String]?
  /// `env:NAME`, `file:PATH` or `config:NAME`: holds `user:password` (Basic) or `Bearer TOKEN`.
  public var credential: String?
  /// `http://`, `https://` or `socks5h://`.
  public var proxy: String?
  /// Path of a PEM file with certificate and key.
  public var clientCertificate: String?
  /// Path of a PEM file with the certificate authorities to trust instead of the system's.
  public var certificateAuthority: String?
  /// True: TLS certificates are verified. False: they are not, and every poll warns about it.
  public var verifiesTLS: Bool?
  /// Timeout of one request in total, in seconds.
  public var timeout: Int64?
  /// Maximum size of a decoded body, in bytes.
  public var maximumBytes: Int?
  /// Character encoding to decode with, whatever the feed declares.
  public var encoding: String?
  /// True: the user typed the URL, so its own origin may be a local address.
  public var allowsLocalOrigin: Bool?
  /// Origin (`https://example.org:443`) for which credential, extra headers and client certificate were set.
  /// They are sent only there, or to https of the same host if it is http (`Origin.canReceiveCredentials`).
  /// Nil: the origin of the feed's URL.
  public var secretsFor: String?
  /// The identity policy for the feed's items: `guid`, `link` or `content`; nil: newsd chooses by the feed's
  /// history.
  public var identity: String?
  /// Retention: `keepDays` limits the age of items in days, `keepItems` their number. Items beyond either limit may be
  /// pruned.
  public var keepDays: Int?
  public var keepItems: Int?
  /// True: the feed is not polled, and what its hub pushes is discarded; a fetch that names it fetches it.
  public var isPaused: Bool?
  /// True: the lists of all and of all unread items leave the feed's items out.
  public var isHidden: Bool?
  /// Whether the pages of new items are fetched for the whole article; nil: never.
  public var article: ArticlePolicy?
  /// CSS selectors: the article's content, parts to remove from it, and the link to the article's next page.
  public var articleContent: String?
  public var articleRemove: String?
  public var articleNext: String?

  public init() {}

  /// The selectors for the articles on this feed's pages.
  public var articleSelectors: ArticleSelectors {
    ArticleSelectors(content: articleContent, remove: articleRemove, next: articleNext)
  }

  /// A copy with only the settings for articles.
  public var articlePart: FeedSettings {
    var part = FeedSettings()
    part.takeArticle(from: self)
    return part
  }

  /// Copies the settings for articles that are not set here from `other`.
  public mutating func takeArticle(from other: FeedSettings) {
    article = article ?? other.article
    articleContent = articleContent ?? other.articleContent
    articleRemove = articleRemove ?? other.articleRemove
    articleNext = articleNext ?? other.articleNext
  }

  /// True when these settings contain secrets, which are sent to one origin only.
  public var holdsSecrets: Bool { credential != nil || headers != nil || clientCertificate != nil }

  /// Records the origin of `url`, for which the secrets were set, when the feed's new URL `other` has a different
  /// origin.
  public mutating func bindSecrets(for url: String, from other: String) {
    guard holdsSecrets, secretsFor == nil, let origin = WebAddress(url)?.origin,
      origin != WebAddress(other)?.origin
    else { return }
    secretsFor = origin
  }

  /// True when no setting overrides the general configuration.
  public var isEmpty: Bool { self == FeedSettings() }
}

/// Whether the pages of a feed's new items are fetched for the whole article.
public enum ArticlePolicy: String, Hashable, Sendable, CaseIterable {
  /// Pages are fetched if the feed's own texts are short (`isForExcerpts`).
  case auto
  case always
  case never

  /// How many of the newest items `auto` examines, and how many of them must be short.
  public static let examined = 5
  public static let fewestShort = 3
  /// A text with fewer characters counts as an excerpt.
  public static let excerptLength = 500

  /// Returns true when enough of the newest items have a link and a text shorter than an article. `newest`
  /// has, for each of the newest items, the length of the feed's own text and whether the item has a link.
  public static func isForExcerpts(_ newest: [(length: Int, hasLink: Bool)]) -> Bool {
    newest.prefix(examined).count { $0.length < excerptLength && $0.hasLink } >= fewestShort
  }
}

/// The user's CSS selectors for the article of a page.
public struct ArticleSelectors: Hashable, Sendable {
  /// Selects the article's elements, in document order. Nil: newsd finds the article itself.
  public var content: String?
  /// Selects elements to remove from the article.
  public var remove: String?
  /// Selects the link to the next page of the same article.
  public var next: String?

  public init(content: String? = nil, remove: String? = nil, next: String? = nil) {
    self.content = content
    self.remove = remove
    self.next = next
  }
}
