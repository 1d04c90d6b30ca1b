/// The user's settings for one feed; nil means the general configuration.
///
/// Secrets are never kept here: `credential` names where one is found.
public struct FeedSettings: Hashable, Sendable, Codable {
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
  /// Path of a PEM file with the certificate authorities to believe instead of the system's.
  public var certificateAuthority: String?
  /// False: certificates are not verified (warned at every poll).
  public var verifiesTLS: Bool?
  /// Seconds for one request in total.
  public var timeout: Int64?
  /// Bytes of a decoded body.
  public var maximumBytes: Int?
  /// Decode as this encoding, whatever the feed says.
  public var encoding: String?
  /// True: the user typed the URL, so its own origin may be a local address.
  public var allowsLocalOrigin: Bool?
  /// Origin (`https://example.org:443`) that credential, extra headers and client certificate were set for, where the
  /// feed's URL has another since: they are not sent there. Nil: for the feed's own.
  public var secretsFor: String?
  /// How items are told apart: `guid`, `link` or `content`; nil: chosen from the feed's history.
  public var identity: String?
  /// Items older than this many days, or beyond this many, may be pruned.
  public var keepDays: Int?
  public var keepItems: Int?
  /// Whether the pages of new items are fetched for the whole article; nil: never.
  public var article: ArticlePolicy?
  /// CSS selectors: what to take of a page, what to leave out, and the link to the article's next page.
  public var articleContent: String?
  public var articleRemove: String?
  public var articleNext: String?

  public init() {}

  /// Where a page of this feed has its article.
  public var articleSelectors: ArticleSelectors {
    ArticleSelectors(content: articleContent, remove: articleRemove, next: articleNext)
  }

  /// True when something here is meant for one origin only.
  public var holdsSecrets: Bool { credential != nil || headers != nil || clientCertificate != nil }

  /// Binds secrets to the origin of `url`, for which they were set, where `other` has another one.
  public mutating func keepSecrets(for url: String, from other: String) {
    guard holdsSecrets, secretsFor == nil, let origin = WebAddress(url)?.origin,
      origin != WebAddress(other)?.origin
    else { return }
    secretsFor = origin
  }

  /// True when nothing differs from the general configuration.
  public var isEmpty: Bool { self == FeedSettings() }
}
