import NewsToolbox

/// Fetch state of one feed: what the next request sends, when it is due, and what failed.
public struct FetchState: Hashable, Sendable {
  public var validators: Validators?
  /// Hash of the last body that was parsed, with the mark of `ParsedBody`.
  public var bodyHash: UInt64?
  /// When the feed is due. Nil: it is due now because it was never fetched, or it is never due because it is
  /// gone.
  public var nextDue: Timestamp?
  public var nextDueReason: DueReason?
  /// When the last exchange ended, whatever its outcome.
  public var lastFetched: Timestamp?
  /// HTTP status of the last exchange; nil when there was none (a connection failed).
  public var lastStatus: Int?
  /// When an exchange last ended in a parsed or unchanged feed.
  public var lastSuccess: Timestamp?
  /// Failures since the last success.
  public var failures = 0
  /// When the current run of failures began.
  public var failingSince: Timestamp?
  public var lastError: String?
  /// Current poll interval, in seconds.
  public var interval: Int64?
  /// Polling hints of the last parsed document.
  public var hints = PollHints()
  /// Target of a permanent redirect, which the next polls request directly (RFC 9110 sections 15.4.2 and 15.4.9).
  public var movedTo: MovedLocation?
  /// Answers 410 in a row; nil: the last answer was another one.
  public var gone: GoneAnswers?
  /// True when the server has answered 410 often enough. The feed is then not polled any more, and its items are kept.
  public var isGone = false
  /// `max-age` of the last 200, in seconds; a 304 without `max-age` keeps it (RFC 9111 section 4.3.4).
  public var maxAge: Int64?
  /// The running cooldown of the host that answered this feed with Retry-After; it applies to all feeds of the host.
  public var cooldown: HostCooldown?
  /// The URL before the last adopted move, so that the user can undo the move.
  public var movedFrom: FormerURL?
  /// Target of a move that the user undid: redirects to it are followed, but not adopted again automatically.
  public var rejectedMove: String?
  /// The hub that the last response or document named.
  public var hub: HubOffer?

  /// The state of a feed that was never fetched.
  public static let unfetched = FetchState()
}

/// The cooldown of a host that answered 429 or 503 with Retry-After (RFC 9110 section 10.2.3).
public struct HostCooldown: Hashable, Sendable {
  /// Host name in lower case; an IP literal or `localhost` with its port.
  public var host: String
  public var until: Timestamp

  public init(host: String, until: Timestamp) {
    self.host = host
    self.until = until
  }

  /// Seconds beyond which an end was computed with a wrong clock: cooldowns last 7 days at most.
  static let longest: Int64 = 8 * 86_400

  /// True while the cooldown lasts. An end further ahead than `longest` does not count.
  func isRunning(_ now: Timestamp) -> Bool { until > now && until - now <= Self.longest }
}

/// The URL of a subscription before a permanent redirect was adopted.
public struct FormerURL: Hashable, Sendable {
  public var url: String
  /// When the new URL was adopted.
  public var changed: Timestamp

  public init(url: String, changed: Timestamp) {
    self.url = url
    self.changed = changed
  }
}

/// ETag and Last-Modified of one response, kept together and byte for byte as received (RFC 9110 section 8.8).
public struct Validators: Hashable, Sendable {
  public var etag: String?
  public var lastModified: String?
  /// The URL that sent the validators, which are not valid for another URL.
  public var url: String

  /// Size of both field values, in bytes.
  var size: Int { (etag?.utf8.count ?? 0) + (lastModified?.utf8.count ?? 0) }

  public init(etag: String? = nil, lastModified: String? = nil, url: String) {
    self.etag = etag
    self.lastModified = lastModified
    self.url = url
  }
}

/// A permanent redirect that polls follow but that is not yet adopted as the subscription's URL.
public struct MovedLocation: Hashable, Sendable {
  public var url: String
  public var firstSeen: Timestamp
  /// Number of polls that received this redirect.
  public var polls: Int

  public init(url: String, firstSeen: Timestamp, polls: Int) {
    self.url = url
    self.firstSeen = firstSeen
    self.polls = polls
  }
}

/// Answers 410, which only mean that a feed is gone for good if they do not change (RFC 9110 section 15.5.11: "likely to be
/// permanent"): a server that is being set up or moved may send some.
public struct GoneAnswers: Hashable, Sendable {
  public var firstSeen: Timestamp
  /// Number of polls that received this answer.
  public var polls: Int

  public init(firstSeen: Timestamp, polls: Int) {
    self.firstSeen = firstSeen
    self.polls = polls
  }
}

/// A feed document's hints on when to poll it again.
public struct PollHints: Hashable, Sendable {
  /// RSS `ttl`, in minutes.
  public var ttl: Int?
  /// RSS `skipHours`, 0 to 23 in UTC: bit `n` is hour `n`.
  public var skipHours: UInt32
  /// RSS `skipDays`: bit 0 is Sunday.
  public var skipDays: UInt8
  /// `sy:updatePeriod` divided by `sy:updateFrequency`, in seconds.
  public var updateInterval: Int64?
  /// `sy:updateBase`.
  public var updateBase: Timestamp?

  public init(
    ttl: Int? = nil,
    skipHours: UInt32 = 0,
    skipDays: UInt8 = 0,
    updateInterval: Int64? = nil,
    updateBase: Timestamp? = nil
  ) {
    self.ttl = ttl
    self.skipHours = skipHours
    self.skipDays = skipDays
    self.updateInterval = updateInterval
    self.updateBase = updateBase
  }
}

/// The reason for a feed's next due time.
public enum DueReason: Hashable, Sendable {
  case new
  case adaptive
  case maxAge
  case expires
  case ttl
  case updatePeriod
  case skipHours
  case skipDays
  case retryAfter
  /// The nth failure in a row.
  case backoff(Int)
  case hostBudget
  case networkDown
  case webSub
  case gone
  case user
}

extension DueReason: CustomStringConvertible {
  /// The name used in output and in the store: `adaptive`, `backoff 3`, …
  public var description: String {
    switch self {
    case .new: "new"
    case .adaptive: "adaptive"
    case .maxAge: "max-age"
    case .expires: "expires"
    case .ttl: "ttl"
    case .updatePeriod: "updatePeriod"
    case .skipHours: "skipHours"
    case .skipDays: "skipDays"
    case .retryAfter: "Retry-After"
    case .backoff(let count): "backoff \(count)"
    case .hostBudget: "host budget"
    case .networkDown: "network down"
    case .webSub: "WebSub"
    case .gone: "gone"
    case .user: "user"
    }
  }

  private static let fixed: [DueReason] = [
    .new, .adaptive, .maxAge, .expires, .ttl, .updatePeriod, .skipHours, .skipDays, .retryAfter, .hostBudget,
    .networkDown, .webSub, .gone, .user,
  ]

  /// Parses a `description`; fails for an unknown text.
  public init?(_ description: String) {
    if description.hasPrefix(bytesOf: "backoff "), let count = Int(description.dropFirst(8)) {
      self = .backoff(count)
      return
    }
    guard let reason = Self.fixed.first(where: { $0.description == description }) else { return nil }
    self = reason
  }
}

/// A publisher's announcement that a hub pushes its feed (W3C WebSub section 4).
public struct HubOffer: Hashable, Sendable {
  /// The feed's topic URL: its `rel="self"` link, or else the URL of the response.
  public var topic: String
  /// The hub's URL, which accepts subscription requests.
  public var hub: String

  public init(topic: String, hub: String) {
    self.topic = topic
    self.hub = hub
  }
}
