import NewsCore

/// Decides whether to follow a redirect. newsd does this instead of libcurl, so that each hop passes the address guard,
/// has its own headers and is reported.
struct RedirectPolicy {
  private let limits: FetchLimits
  /// The only origin that may be asked; nil: any.
  private let origin: Origin?
  private(set) var hops: [RedirectHop] = []
  private var seen: Set<String> = []

  enum Step {
    /// The response is final.
    case done
    case follow(RequestURL)
  }

  init(limits: FetchLimits, onlyTo origin: Origin? = nil) {
    self.limits = limits
    self.origin = origin
  }

  /// Returns true for the redirect statuses that apply to a GET (RFC 9110 section 15.4).
  static func isRedirect(_ status: Int) -> Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }

  /// Evaluates a response from `address` with this status and `Location` field.
  mutating func evaluate(
    status: Int,
    location: String?,
    from address: RequestURL
  ) throws(FetchError) -> Step {
    guard Self.isRedirect(status), let location, !location.isEmpty else { return .done }
    seen.insert(address.url)
    let target: RequestURL
    do {
      target = try address.resolving(location)
    } catch {
      // Do not report `badURL`: the subscription's URL is valid, only the server's URL is not.
      throw FetchError(
        code: .badResponse,
        message:
          "\(address.url) redirects (\(status)) to an address that newsd cannot follow: \(error.message)",
        hops: hops
      )
    }
    guard target.scheme != "file" else {
      throw failure(.badResponse, "\(address.url) redirects (\(status)) to a local file; refused")
    }
    hops.append(RedirectHop(status: status, location: target.url))
    guard hops.count <= limits.redirects else {
      throw failure(
        .tooManyRedirects,
        "gave up after \(limits.redirects) redirects, the last to \(target.url)"
      )
    }
    guard !seen.contains(target.url) else {
      let way = hops.count > 1 ? " after \(hops.count) redirects" : ""
      throw failure(.redirectLoop, "\(target.url) redirects to itself\(way)")
    }
    if address.scheme == "https", target.scheme == "http", !limits.allowsDowngrade {
      throw failure(
        .downgradeRefused,
        "\(address.url) redirects to \(target.url), without encryption; refused. "
          + "Set fetch.allow_downgrade to follow it."
      )
    }
    if let origin, !target.origin.canReceiveCredentials(from: origin) {
      throw failure(
        .badResponse,
        "\(address.url) redirects (\(status)) to another server, which must not get the credentials; refused. "
          + "If you trust it, use its address: \(target.url)"
      )
    }
    return .follow(target)
  }

  private func failure(_ code: FetchError.Code, _ message: String) -> FetchError {
    FetchError(code: code, message: message, hops: hops)
  }
}
