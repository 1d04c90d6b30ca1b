import NewsToolbox
import Synchronization

/// Limits how often a password may be guessed. A pure value: the caller supplies the time.
///
/// After 10 wrong passwords from one address, or 100 from all, within 10 minutes, further attempts are refused until the
/// oldest of them is 10 minutes old.
public struct LoginGate: Sendable {
  /// Seconds for which a failure counts.
  public static let period: Int64 = 600
  public static let failuresOfAddress = 10
  public static let failures = 100
  /// Maximum number of addresses whose failures are kept. Beyond it, the address whose last failure is oldest is
  /// dropped.
  static let addresses = 1000

  /// A failure, and the account that was guessed; nil: there is only one.
  private struct Failure: Sendable {
    var time: Timestamp
    var account: String?
  }

  private var times: [String: [Failure]] = [:]
  private var all: [Timestamp] = []

  public init() {}

  /// Returns the seconds until the address may try again; nil: now. The failures of other addresses do not matter to an
  /// address that is known.
  public mutating func wait(of address: String, isKnown: Bool = false, now: Timestamp) -> Int? {
    forget(before: now - Self.period)
    var seconds: Int64 = 0
    if let own = times[Self.network(of: address)], own.count >= Self.failuresOfAddress {
      seconds = own[own.count - Self.failuresOfAddress].time + Self.period - now
    }
    if !isKnown, all.count >= Self.failures {
      seconds = max(seconds, all[all.count - Self.failures] + Self.period - now)
    }
    return seconds > 0 ? Int(seconds) : nil
  }

  public mutating func fail(_ address: String, account: String? = nil, now: Timestamp) {
    forget(before: now - Self.period)
    let key = Self.network(of: address)
    times[key, default: []].append(Failure(time: now, account: account))
    all.append(now)
    if times.count > Self.addresses,
      let oldest = times.min(by: { ($0.value.last?.time ?? now) < ($1.value.last?.time ?? now) })?.key
    {
      times[oldest] = nil
    }
  }

  /// Clears the failures of the address with this account. Failures with other accounts remain: otherwise the owner of
  /// an account could guess the password of another without end.
  public mutating func succeed(_ address: String, account: String? = nil) {
    let key = Self.network(of: address)
    times[key]?.removeAll { $0.account == account }
    if times[key]?.isEmpty == true { times[key] = nil }
  }

  private mutating func forget(before time: Timestamp) {
    // Failures from after the present are of a clock that was ahead.
    let latest = time + Self.period + PollPolicy.clockTolerance
    guard let first = all.first, let last = all.last, first <= time || last > latest else { return }
    all.removeAll { $0 <= time || $0 > latest }
    times = times.compactMapValues { own in
      let kept = own.filter { $0.time > time && $0.time <= latest }
      return kept.isEmpty ? nil : kept
    }
  }

  /// Returns the part of an address that identifies a client: for IPv6 the first 64 bits, because a client can use all addresses of
  /// its network.
  public static func network(of address: String) -> String {
    guard address.contains(ascii: ":") else { return address }
    var groups = address.split(ascii: ":", omittingEmptySubsequences: false)
    // The two colons that abbreviate zeros leave an empty group.
    if let gap = groups.firstIndex(where: \.isEmpty) {
      let zeros = max(1, 9 - groups.count)
      groups.replaceSubrange(gap...gap, with: [Substring](repeating: "0", count: zeros))
    }
    return groups.prefix(4).joined(separator: ":")
  }
}

/// Limits how many lines strangers can have logged, as `LoginGate` limits wrong passwords.
public final class RefusalLimit: Sendable {
  private let gate = Mutex(LoginGate())

  public init() {}

  /// Returns true if a line about the address may be logged, and counts it.
  public func admits(_ address: String, now: Timestamp) -> Bool {
    gate.withLock { gate in
      guard gate.wait(of: address, now: now) == nil else { return false }
      gate.fail(address, now: now)
      return true
    }
  }
}
