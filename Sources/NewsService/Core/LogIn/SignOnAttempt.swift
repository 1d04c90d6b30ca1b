import NewsToolbox
import Synchronization

/// One attempt to log in at an OpenID provider. The browser keeps it in a cookie, and what newsd sends to the provider is
/// derived from it, so that any process can end an attempt and attempts of strangers take no memory.
public struct SignOnAttempt: Hashable, Sendable {
  /// Seconds that a person has for the log-in.
  public static let lifetime: Int64 = 600

  /// The value of the cookie: the time and 256 random bits.
  public let text: String
  private let key: [UInt8]

  public init(now: Timestamp) {
    let secret = WebLogin.random(32)
    text = "\(now.seconds).\(Hex.encode(secret))"
    key = secret
  }

  /// Reads the cookie. Nil if it is malformed, too old or from the future. The time is a part of every derived value, so that
  /// another time does not match the `state`.
  public init?(text: String, now: Timestamp) {
    guard text.utf8.count <= 100, let (time, secret) = text.cut(atFirst: "."), let started = Int64(time),
      let key = Hex.decode(secret), key.count == 32
    else { return nil }
    let (age, isOverflow) = now.seconds.subtractingReportingOverflow(started)
    guard !isOverflow, (0...Self.lifetime).contains(age) else { return nil }
    self.text = text
    self.key = key
  }

  /// Comes back in the address of the callback, which shows that this browser has begun the attempt.
  public var state: String { derived("state") }
  /// Comes back in the ID token.
  public var nonce: String { derived("nonce") }
  /// The code verifier (RFC 7636 section 4.1).
  public var verifier: String { derived("verifier") }
  /// The code challenge of the method S256 (RFC 7636 section 4.2).
  public var challenge: String { Base64.encodeForURL(SecureHash.sha256.digest(Array(verifier.utf8))) }

  private func derived(_ purpose: String) -> String {
    Hex.encode(SecureHash.sha256.authenticate(Array("\(purpose) \(text)".utf8), key: key))
  }
}

/// Limits what strangers can do with the callback: each attempt comes back once, and an address may fail ten times in ten
/// minutes.
public final class SignOnLimits: Sendable {
  /// The time when each attempt came back, by its state.
  private let used = Mutex<[String: Timestamp]>([:])
  private let gate = Mutex(LoginGate())
  private static let most = 10_000

  public init() {}

  /// Notes an attempt. Returns false if it was used already. Of too many, the older half is forgotten, so that a stranger's attempts
  /// refuse no other log-in; the provider takes each code once only.
  public func use(_ attempt: SignOnAttempt, now: Timestamp) -> Bool {
    used.withLock { used in
      if used.count >= Self.most {
        let middle = used.values.sorted()[used.count / 2]
        used = used.filter { $0.value > middle }
      }
      guard used[attempt.state] == nil else { return false }
      used[attempt.state] = now
      return true
    }
  }

  /// Returns the seconds until the address may try again; nil: now. Failures of other addresses do not matter: no guess helps
  /// them.
  public func wait(of address: String, now: Timestamp) -> Int? {
    gate.withLock { $0.wait(of: address, isKnown: true, now: now) }
  }

  /// Notes the end of an attempt with a valid state.
  public func note(_ address: String, hasFailed: Bool, now: Timestamp) {
    gate.withLock { if hasFailed { $0.fail(address, now: now) } else { $0.succeed(address) } }
  }
}
