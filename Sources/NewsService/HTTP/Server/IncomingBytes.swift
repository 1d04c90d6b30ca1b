import NewsCore
import Synchronization

/// Limits the memory of all bodies being received, in total, for each address and for each of several accounts.
final class IncomingBytes: Sendable {
  /// Strangers and known clients of one address, which count apart: an upload must not stop log-ins.
  private struct Source: Hashable {
    var network: String
    var isKnown: Bool
  }

  private struct State {
    var total = 0
    var bySource: [Source: Int] = [:]
    /// The bytes of large bodies of known clients, by account.
    var byAccount: [String: Int] = [:]
    /// All bytes ever received.
    var received = 0
  }

  private let limit: Int
  private let ofAddress: Int
  /// Bytes that only bodies up to `WebRoute.strangersBody` may take, so that large bodies do not stop log-ins and marks.
  private var reserve: Int { limit / 8 }
  private let state = Mutex(State())

  init(limit: Int, ofAddress: Int) {
    self.limit = limit
    self.ofAddress = ofAddress
  }

  /// The number of bytes ever added.
  var received: Int { state.withLock { $0.received } }

  /// Adds bytes of a body.
  ///
  /// - Parameters:
  ///   - bytes: The number of further bytes.
  ///   - held: The number of bytes of the same body that were added before.
  ///   - address: The client's address.
  ///   - isKnown: True if the client's credentials were checked. Its small bodies count neither for the address nor for the
  ///     account, and a large one may exceed their limits if it is the only one.
  ///   - account: The client's account, which may have half of the room for large bodies; nil: it is the only one, or is not
  ///     known.
  /// - Returns: False if a limit would be exceeded; nothing is added.
  func add(
    _ bytes: Int,
    to held: Int,
    from address: String,
    isKnown: Bool,
    account: String? = nil
  ) -> Bool {
    let key = Source(network: LoginGate.network(of: address), isKnown: isKnown)
    let (before, after) = (Self.share(held, isKnown), Self.share(held + bytes, isKnown))
    return state.withLock { state in
      let others = state.bySource[key, default: 0] - before
      let ofAccount = account.map { state.byAccount[$0, default: 0] - before } ?? 0
      let total = state.total + bytes
      guard total <= limit - (held + bytes > WebRoute.strangersBody ? reserve : 0),
        others + after <= ofAddress || isKnown && (others == 0 || after == 0),
        ofAccount + after <= (limit - reserve) / 2 || ofAccount == 0 || after == 0
      else { return false }
      state.total = total
      state.bySource[key] = others + after > 0 ? others + after : nil
      if let account { state.byAccount[account] = ofAccount + after > 0 ? ofAccount + after : nil }
      state.received += bytes
      return true
    }
  }

  func remove(_ bytes: Int, from address: String, isKnown: Bool, account: String? = nil) {
    guard bytes > 0 else { return }
    let key = Source(network: LoginGate.network(of: address), isKnown: isKnown)
    state.withLock { state in
      state.total -= bytes
      let share = Self.share(bytes, isKnown)
      let left = state.bySource[key, default: 0] - share
      state.bySource[key] = left > 0 ? left : nil
      guard let account else { return }
      let leftOfAccount = state.byAccount[account, default: 0] - share
      state.byAccount[account] = leftOfAccount > 0 ? leftOfAccount : nil
    }
  }

  /// The part of a body that counts for its address and its account.
  private static func share(_ size: Int, _ isKnown: Bool) -> Int {
    isKnown && size <= WebRoute.strangersBody ? 0 : size
  }
}

/// Limits how many things of one kind, such as connections, each client address has at once.
final class AddressLimit: Sendable {
  private let limit: Int
  private let counts = Mutex<[String: Int]>([:])

  init(_ limit: Int) { self.limit = limit }

  /// True if the address may have one more.
  func isFree(_ address: String) -> Bool {
    let key = LoginGate.network(of: address)
    return counts.withLock { $0[key, default: 0] < limit }
  }

  /// Counts one more, even beyond the limit.
  func add(_ address: String) {
    let key = LoginGate.network(of: address)
    counts.withLock { $0[key, default: 0] += 1 }
  }

  /// Counts one more. Returns false if the limit is reached.
  func enter(_ address: String) -> Bool {
    let key = LoginGate.network(of: address)
    return counts.withLock { counts in
      guard counts[key, default: 0] < limit else { return false }
      counts[key, default: 0] += 1
      return true
    }
  }

  func leave(_ address: String) {
    let key = LoginGate.network(of: address)
    counts.withLock { counts in
      let left = counts[key, default: 0] - 1
      counts[key] = left > 0 ? left : nil
    }
  }
}
