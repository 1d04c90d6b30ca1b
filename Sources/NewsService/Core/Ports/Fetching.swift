/// One fetch: a request for a URL, with redirects followed. A `file:` URL is read only if the user typed it:
/// `reach` is `localOrigin` of the same URL, or `anywhere` while the settings have `allowsLocalOrigin`.
public struct FetchRequest: Hashable, Sendable {
  public var url: String
  public var validators: Validators?
  public var settings: FeedSettings
  /// These limits already include the feed's settings (`FetchLimits.overridden(by:)`).
  public var limits: FetchLimits
  /// The addresses that the fetcher may connect to.
  public var reach: Reach
  /// True for a fetch that the user waits for: the spacing between requests to a site is skipped, the limit on
  /// concurrent requests is not.
  public var isUrgent: Bool
  /// The subscription's URL if it differs from `url` (a remembered move is requested directly). Credentials,
  /// extra headers and the client certificate are sent only where `Origin.canReceiveCredentials` allows it.
  /// Nil: same as `url`.
  public var subscriptionURL: String?
  /// True: the fetch fails during its host's cooldown. False: it is made nevertheless, for example because
  /// the user named the feed.
  public var respectsCooldowns: Bool
  /// True when the feed's last poll succeeded. A quarter of the transfers is reserved for such requests, so that
  /// unresponsive hosts never block them.
  public var lastPollSucceeded: Bool
  /// The kind of document that is requested.
  public var content: Content

  /// The kind of document to ask for in Accept: a server may have several at one URL.
  public enum Content: Hashable, Sendable { case feed, page, picture, recording }
  /// The feed that is polled; nil for other requests. Where processes hold leases on feeds, its request is sent only
  /// while the lease holds.
  public var feedID: Feed.ID?
  /// False: only this process's limits of the site apply, not the limits shared with other processes. Such a request needs
  /// no store.
  public var sharesSiteLimits: Bool
  /// The part of the document to ask for (RFC 9110 section 14.2); nil: all of it. The server may send all nevertheless.
  public var range: Range<Int64>?

  /// The account that sends the request, if several share the fetcher: one has at most half of the transfers, and always leaves
  /// some.
  public var account: String?

  /// The `account` of requests that several accounts share: together they have the limits of one more account.
  public static let allAccounts = ""

  /// Whether the request may be one for several accounts.
  public var sharing = Sharing.alone

  /// How a request and those of other accounts are one (`SharedPolls`).
  public enum Sharing: Hashable, Sendable {
    /// The request is always sent, and for its account only.
    case alone
    /// The request is sent unless another account has an answer. Others may get its answer.
    case asks
    /// The request is never sent: it only takes the answer of another account.
    case takes
  }

  /// True: a redirect to a server that must not get the credentials (`Origin.canReceiveCredentials`) is an error, because
  /// the request's URL or body contains some.
  public var keepsOrigin = false

  /// The guard against requests to internal addresses (SSRF). Cloud metadata addresses always need an exception in the
  /// configuration.
  public enum Reach: Hashable, Sendable {
    /// Public addresses only.
    case publicOnly
    /// The same, even if the configuration allows private addresses: only those of its list.
    case listedOnly
    /// The user typed this URL: its own origin may have any address, every other origin only a public one.
    case localOrigin(of: String)
    /// Every address except cloud metadata.
    case anywhere
  }

  public init(
    url: String,
    validators: Validators? = nil,
    settings: FeedSettings = FeedSettings(),
    limits: FetchLimits = FetchLimits(),
    reach: Reach = .publicOnly,
    isUrgent: Bool = false,
    subscriptionURL: String? = nil,
    respectsCooldowns: Bool = false,
    lastPollSucceeded: Bool = false,
    content: Content = .feed,
    feedID: Feed.ID? = nil,
    sharesSiteLimits: Bool = true
  ) {
    self.url = url
    self.validators = validators
    self.settings = settings
    self.limits = limits
    self.reach = reach
    self.isUrgent = isUrgent
    self.subscriptionURL = subscriptionURL
    self.respectsCooldowns = respectsCooldowns
    self.lastPollSucceeded = lastPollSucceeded
    self.content = content
    self.feedID = feedID
    self.sharesSiteLimits = sharesSiteLimits
  }
}

extension FetchRequest.Reach {
  /// The addresses that requests for the feed may connect to: also the origin of its URL, if the user subscribed to a local
  /// address.
  func including(_ feed: Feed) -> Self {
    self != .anywhere && feed.settings.allowsLocalOrigin == true ? .localOrigin(of: feed.url) : self
  }
}

/// Bounds of one fetch.
public struct FetchLimits: Hashable, Sendable {
  /// Maximum size of the decoded body, in bytes.
  public var bodyBytes: Int
  /// Maximum size of one response's header section, in bytes.
  public var headerBytes: Int
  public var redirects: Int
  /// Maximum time to connect, in milliseconds.
  public var connectTimeout: Int
  /// Maximum time until the first byte of the response, in milliseconds.
  public var firstByteTimeout: Int
  /// Maximum time of the whole fetch including redirects, in milliseconds.
  public var totalTimeout: Int
  /// Bytes per second; a transfer slower than this for `lowSpeedSeconds` is aborted.
  public var lowSpeed: Int
  public var lowSpeedSeconds: Int
  /// True: an https URL may redirect to http.
  public var allowsDowngrade: Bool

  public init(
    bodyBytes: Int = 20 << 20,
    headerBytes: Int = 128 << 10,
    redirects: Int = 8,
    connectTimeout: Int = 10_000,
    firstByteTimeout: Int = 30_000,
    totalTimeout: Int = 120_000,
    lowSpeed: Int = 64,
    lowSpeedSeconds: Int = 20,
    allowsDowngrade: Bool = false
  ) {
    self.bodyBytes = bodyBytes
    self.headerBytes = headerBytes
    self.redirects = redirects
    self.connectTimeout = connectTimeout
    self.firstByteTimeout = firstByteTimeout
    self.totalTimeout = totalTimeout
    self.lowSpeed = lowSpeed
    self.lowSpeedSeconds = lowSpeedSeconds
    self.allowsDowngrade = allowsDowngrade
  }
}

/// Fetches documents.
public protocol Fetching: Sendable {
  /// Performs a fetch. Cancelling the task stops the transfer. HTTP error statuses are responses, not errors.
  func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse
}

/// The time of day; tests supply their own.
public protocol WallClock: Sendable {
  func now() -> Timestamp
}
