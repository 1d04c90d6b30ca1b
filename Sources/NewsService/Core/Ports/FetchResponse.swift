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
  /// 200, 304, 404, …; for `file:` and `exec:` 200.
  public var status: Int
  /// Fields in the order received; names as received.
  public var headers: [(name: String, value: String)]
  /// The body, decoded from its content encoding; empty for 304.
  public var body: [UInt8]
  /// The URL that answered, without user name and password.
  public var url: String
  public var hops: [RedirectHop]
  /// True when the body is incomplete: the transfer ended early, or the compressed data do.
  public var isTruncated: Bool
  /// True when the connection for the requested URL, before any redirect, used a non-public address. Nil: there was no
  /// connection.
  public var reachedLocalAddress: Bool?
  /// True if an address was used that the address guard permits only for the origin that the user typed.
  public var usedExemption = false
  public var received: Timestamp
  /// The body's share of the fetcher's memory budget; released with the last copy of this response.
  public var bodyShare: BodyShare?

  public init(
    status: Int,
    headers: [(name: String, value: String)] = [],
    body: [UInt8] = [],
    url: String,
    hops: [RedirectHop] = [],
    isTruncated: Bool = false,
    reachedLocalAddress: Bool? = nil,
    received: Timestamp,
    bodyShare: BodyShare? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.hops = hops
    self.isTruncated = isTruncated
    self.reachedLocalAddress = reachedLocalAddress
    self.received = received
    self.bodyShare = bodyShare
  }

  /// Returns the value of the first field with this name, compared case-insensitively.
  public func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }
}

/// Counts a body against a memory budget for as long as the response exists. This is back-pressure: bodies that wait
/// for the parser delay further requests.
public final class BodyShare: Sendable {
  private let release: @Sendable () -> Void
  public init(release: @escaping @Sendable () -> Void) { self.release = release }
  deinit { release() }
}
