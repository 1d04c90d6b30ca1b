import NewsCore
import Synchronization

/// Lets one reader wait for changes. A wait ends when the server announces a change, or after `WakeTiming.net` without
/// an announcement.
final class ChangeWaiter: ChangeAwaiting {
  private struct State {
    /// The count of announcements when the last wait ended.
    var seen: Int
    /// When the last wait ended.
    var lastLook = ContinuousClock.now
  }

  private let listener: ChangeListener
  private let kinds: StoreChangeKinds
  private let timing: WakeTiming
  private let state: Mutex<State>

  init(_ listener: ChangeListener, for kinds: StoreChangeKinds, _ timing: WakeTiming) {
    self.listener = listener
    self.kinds = kinds
    self.timing = timing
    state = Mutex(State(seen: listener.signal.count(of: kinds)))
  }

  func wait() async throws {
    while try await !wait(atMost: timing.net) {}
  }

  func wait(atMost limit: Duration) async throws -> Bool {
    listener.start()
    let (seen, last) = state.withLock { ($0.seen, $0.lastLook) }
    let end = min(ContinuousClock.now + limit, last + timing.net)
    await listener.signal.wait(for: kinds, whileCountIs: seen) {
      try? await Task.sleep(until: end, clock: .continuous)
    }
    try Task.checkCancellation()
    guard listener.signal.count(of: kinds) != seen || ContinuousClock.now >= last + timing.net else {
      return false
    }
    try await Task.sleep(until: last + timing.spacing, clock: .continuous)
    state.withLock { $0 = State(seen: listener.signal.count(of: kinds)) }
    return true
  }
}

/// When waiting readers query a store on PostgreSQL.
public struct WakeTiming: Sendable {
  /// Longest time between two queries, in case an announcement is lost.
  public var net: Duration = .seconds(5)
  /// Shortest time between two queries. While many transactions commit, one query reads the changes of several.
  public var spacing: Duration = .milliseconds(100)
  /// Time between attempts to listen, after the connection failed or the server refused LISTEN.
  public var retry: Duration = .seconds(30)

  public init() {}
}

/// The notification with which a transaction tells waiting readers what it has changed. It is sent on the store's
/// channel. Its payload is the sum of the kinds of changes.
enum Announcement {
  /// The statement before the COMMIT of a writing transaction, which goes to the server in the same message.
  static func announcing(_ connection: Connection, _ uri: StoreURI) -> String {
    "NOTIFY \(channel(uri)), '\(connection.announced.union(.commits).rawValue)'"
  }

  static func listening(_ uri: StoreURI) -> String { "LISTEN \(channel(uri))" }

  /// The kinds of changes in a payload; all kinds if the payload is unknown, such as that of a later newsd.
  static func kinds(_ payload: String) -> StoreChangeKinds {
    UInt8(payload).map(StoreChangeKinds.init(rawValue:)) ?? .all
  }

  /// The channel has the schema's name, because several stores may share a database.
  private static func channel(_ uri: StoreURI) -> String { "\"\(uri.schema)\"" }
}
