/// A process that polls the feeds of a store together with others.
public struct StoreNode: Hashable, Sendable {
  /// The node's name in the configuration, or else the host name.
  public var name: String
  /// The version of newsd.
  public var version: String
  /// When it joined.
  public var since: Timestamp
  /// Its last heartbeat.
  public var lastBeat: Timestamp
  /// The number of feeds that the process is fetching.
  public var feeds: Int

  public init(name: String, version: String, since: Timestamp, lastBeat: Timestamp, feeds: Int) {
    self.name = name
    self.version = version
    self.since = since
    self.lastBeat = lastBeat
    self.feeds = feeds
  }
}

/// Work that only one process on a store does at a time.
///
/// A process locks a duty as it locks a feed. The raw value is the key of the duty's lock. It is negative, because the
/// keys of feed locks are the feeds' ids.
public enum NodeDuty: Int64, Sendable {
  /// Delivers the outboxes of hooks.
  case hooks = -1
  /// Fetches the pages that items link to.
  case articles = -2
  /// Sends requests to hubs. Every process answers their callbacks.
  case hubs = -3
  /// Looks up the icons of feeds.
  case icons = -4
}

/// Lists the processes that share a store.
public protocol NodeListing: Sendable {
  /// Returns the processes whose lease has not expired, in the order of their names.
  func nodes() async throws(StoreError) -> [StoreNode]
}
