import NewsToolbox

/// How long a response stays fresh (RFC 9111 section 4.2).
public struct ResponseFreshness: Hashable, Sendable {
  /// `max-age` in seconds. After a 304 without `max-age` and `Expires`, that of the stored response.
  public var maxAge: Int64?
  /// Seconds from receipt until the response becomes stale, reduced by `Age`; never negative.
  public var remaining: Int64?
  /// True: `remaining` comes from `Expires`, not from `max-age`.
  public var isFromExpires = false

  /// Computes the freshness of `response`. The response's `received` time replaces a missing `Date`.
  /// `storedMaxAge` is the `max-age` of the stored response, which applies to a 304 without `max-age` and
  /// `Expires`.
  public init(_ response: FetchResponse, storedMaxAge: Int64? = nil) {
    let age = max(0, response.seconds("Age") ?? 0)
    maxAge = response.maxAge
    if let lifetime = maxAge ?? (response.header("Expires") == nil ? storedMaxAge : nil) {
      maxAge = lifetime
      remaining = max(0, lifetime - age)
      return
    }
    guard let expires = response.header("Expires") else { return }
    isFromExpires = true
    // An Expires that is not a date, such as `0`, means that the response is stale (RFC 9111 section 5.3).
    guard let end = HTTPDate.parse(expires, now: response.received) else {
      remaining = 0
      return
    }
    let date = response.header("Date").flatMap { HTTPDate.parse($0, now: response.received) }
    remaining = max(0, min(end - (date ?? response.received), FetchResponse.longest) - age)
  }
}

extension FetchResponse {
  /// Limit on the delays that a server may name: ten years, which prevents overflow.
  static let longest: Int64 = 315_360_000

  /// Returns all fields with this name, joined with commas (RFC 9110 section 5.3).
  public func combinedHeader(_ name: String) -> String? {
    let wanted = name.lowercased()
    let values = headers.filter { $0.name.lowercased() == wanted }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// Returns a field with delay-seconds (RFC 9111 section 1.2.2); values that overflow are read as `longest`.
  func seconds(_ name: String) -> Int64? {
    header(name).flatMap { Self.delaySeconds($0) }
  }

  static func delaySeconds(_ text: some StringProtocol) -> Int64? {
    let start = text.utf8.drop { " \t\"".utf8.contains($0) }
    let digits = start.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard !digits.isEmpty else { return nil }
    return min(Int64(String(decoding: digits, as: UTF8.self)) ?? longest, longest)
  }

  /// Returns the first `max-age` of Cache-Control: nil when it is missing, 0 when it is not a number (RFC 9111 section
  /// 4.2.1).
  var maxAge: Int64? {
    guard let control = combinedHeader("Cache-Control") else { return nil }
    for directive in Self.listMembers(control) {
      let parts = directive.split(ascii: "=", maxSplits: 1)
      guard let name = parts.first, Self.trimmed(name).lowercased() == "max-age" else { continue }
      return parts.count == 2 ? Self.delaySeconds(parts[1]) ?? 0 : 0
    }
    return nil
  }

  /// Splits a list field into its members; commas inside quoted strings do not separate (RFC 9110 section 5.6.1).
  private static func listMembers(_ text: String) -> [Substring] {
    var isQuoted = false
    var isEscaped = false
    let members = text.utf8.split { byte in
      defer { isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped }
      if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
      return byte == UInt8(ascii: ",") && !isQuoted
    }
    return members.map { text[$0.startIndex..<$0.endIndex] }
  }

  /// The time until which `Retry-After` asks to wait; nil when the field is missing or unreadable.
  public var retryAfter: Timestamp? {
    guard let value = header("Retry-After").map({ Self.trimmed(Substring($0)) }), !value.isEmpty else {
      return nil
    }
    if value.utf8.allSatisfy({ (48...57).contains($0) }) {
      return received + (Self.delaySeconds(value) ?? 0)
    }
    guard let date = HTTPDate.parse(value, now: received) else { return nil }
    // The server's clock may differ from ours, so use the delay between Date and Retry-After. A Date more than a day
    // off is wrong and ignored.
    var sent = header("Date").flatMap { HTTPDate.parse($0, now: received) } ?? received
    if sent.distance(to: received) > 86_400 { sent = received }
    return received + min(max(0, date - sent), Self.longest)
  }

  static func trimmed(_ text: Substring) -> String { String(text.trimmingBlanks) }
}
