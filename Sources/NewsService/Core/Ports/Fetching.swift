/// One fetch: a request for a URL, with redirects followed. A `file:` URL is read only where the user typed it:
/// with `anywhere`, or `localOrigin` of that very URL.
public struct FetchRequest: Hashable, Sendable {
  public var url: String
  public var validators: Validators?
  public var settings: FeedSettings
  public var limits: FetchLimits
  /// Which addresses may be connected to.
  public var reach: Reach
  /// True for an explicit fetch by the user: no pause between two requests to one site, though never more at a time.
  public var isUrgent: Bool
  /// The URL of the subscription where it is not `url` (a remembered move is asked first): credentials and extra
  /// headers are sent to its origin only. Nil: `url`.
  public var subscriptionURL: String?
  /// Hosts that asked to be left alone: asked about each hop right before it is sent. Nil: the user named the feed.
  public var holds: HostHolds?

  /// Guard against requests to addresses that the outside should not reach (SSRF).
  public enum Reach: Hashable, Sendable {
    /// Public addresses only.
    case publicOnly
    /// The user typed this URL: its own origin may be anything, every other only public.
    case localOrigin(of: String)
    /// No guard.
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
    holds: HostHolds? = nil
  ) {
    self.url = url
    self.validators = validators
    self.settings = settings
    self.limits = limits
    self.reach = reach
    self.isUrgent = isUrgent
    self.subscriptionURL = subscriptionURL
    self.holds = holds
  }
}

/// Bounds of one fetch.
public struct FetchLimits: Hashable, Sendable {
  /// Bytes of the decoded body.
  public var bodyBytes: Int
  /// Bytes of one response's header section.
  public var headerBytes: Int
  public var redirects: Int
  /// Milliseconds.
  public var connectTimeout: Int
  /// Milliseconds until the first byte of the response.
  public var firstByteTimeout: Int
  /// Milliseconds for one hop as a whole.
  public var totalTimeout: Int
  /// Bytes per second; slower than this for `lowSpeedSeconds` ends the transfer.
  public var lowSpeed: Int
  public var lowSpeedSeconds: Int
  /// True: an https URL may lead to an http one.
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

/// One redirect that was followed.
public struct RedirectHop: Hashable, Sendable {
  public var status: Int
  /// Absolute URL that the response pointed to.
  public var location: String
  public init(status: Int, location: String) {
    self.status = status
    self.location = location
  }
  /// 301 and 308 (RFC 9110 sections 15.4.2 and 15.4.9).
  public var isPermanent: Bool { status == 301 || status == 308 }
}

/// The last response of a fetch, whatever its status.
public struct FetchResponse: Sendable {
  /// 200, 304, 404, …; for `file:` 200.
  public var status: Int
  /// Fields in the order received; names as received.
  public var headers: [(name: String, value: String)]
  /// Content decoding done; empty for 304.
  public var body: [UInt8]
  /// The URL that answered.
  public var url: String
  public var hops: [RedirectHop]
  /// True when the body ended before the length that the server had announced.
  public var isTruncated: Bool
  public var received: Timestamp
  /// The body's share of the fetcher's memory budget, given back with the last copy of this response.
  public var bodyShare: BodyShare?

  public init(
    status: Int,
    headers: [(name: String, value: String)] = [],
    body: [UInt8] = [],
    url: String,
    hops: [RedirectHop] = [],
    isTruncated: Bool = false,
    received: Timestamp,
    bodyShare: BodyShare? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.hops = hops
    self.isTruncated = isTruncated
    self.received = received
    self.bodyShare = bodyShare
  }

  /// The first field of that name, without regard to case.
  public func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }
}

/// Counts a body against a memory budget for as long as someone holds the response: bodies that wait for a parser
/// slow down those that are still to come.
public final class BodyShare: Sendable {
  private let giveBack: @Sendable () -> Void
  public init(giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }
  deinit { giveBack() }
}

/// Why there is no response.
public struct FetchError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: Hashable, Sendable {
    case cancelled
    case badURL
    case unsupportedScheme
    case hostNotFound
    case refused
    case timedOut
    case tls
    case bodyTooLarge
    case headersTooLarge
    case tooManyRedirects
    case redirectLoop
    case downgradeRefused
    case forbiddenAddress
    /// The host asked to be left alone until then (Retry-After); nothing was sent to it.
    case held(host: String, until: Timestamp)
    case fileNotFound
    case badResponse
    case transport
  }
  public let code: Code
  /// What was tried, what happened, what to do.
  public let message: String
  /// The redirects followed before it happened.
  public let hops: [RedirectHop]
  /// True: not even a connection came about (no address found, no route, no answer to connecting). When no host at all
  /// can be connected to, it is the network that is down.
  public let neverConnected: Bool
  public init(code: Code, message: String, hops: [RedirectHop] = [], neverConnected: Bool = false) {
    self.code = code
    self.message = message
    self.hops = hops
    self.neverConnected = neverConnected
  }
  public var description: String { message }
}

/// Fetches documents.
public protocol Fetching: Sendable {
  /// Cancelling the task stops the transfer. HTTP error statuses are responses, not errors.
  func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse
}

/// Time, so that tests can make it pass.
public protocol WallClock: Sendable {
  func now() -> Timestamp
}
