/// Kinds of changes to a store, for readers that wait for some of them.
public struct StoreChangeKinds: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The change log has new entries.
  public static let log = StoreChangeKinds(rawValue: 1)
  /// Feeds were added, removed or rescheduled, or their URLs changed: schedulers must read their list again.
  public static let feedList = StoreChangeKinds(rawValue: 2)
  /// Subscriptions at hubs were requested, confirmed or ended.
  public static let hubs = StoreChangeKinds(rawValue: 4)
  /// Any commit, including those without an entry in the change log, such as the result of a poll.
  public static let commits = StoreChangeKinds(rawValue: 8)
  public static let all: StoreChangeKinds = [.log, .feedList, .hubs, .commits]
}

/// Lets one reader of a store wait for changes.
///
/// A change that is committed while the reader reads the store ends its next wait at once, so that the reader misses
/// nothing.
public protocol ChangeAwaiting: Sendable {
  /// Waits until the store should be read again.
  func wait() async throws
  /// Waits until the store should be read again, but not longer than `limit`. Returns false if the limit has
  /// passed, and nothing is known to have changed.
  func wait(atMost limit: Duration) async throws -> Bool
}

/// Waits a fixed time: for stores that do not announce changes.
public struct FixedPause: ChangeAwaiting {
  private let interval: Duration

  public init(_ interval: Duration) { self.interval = interval }

  public func wait() async throws { try await Task.sleep(for: interval) }

  public func wait(atMost limit: Duration) async throws -> Bool {
    try await Task.sleep(for: min(interval, limit))
    return true
  }
}
