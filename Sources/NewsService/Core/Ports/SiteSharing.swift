/// Enforces the limits of a site (`per_site`, `spacing`) across all processes on one store.
public protocol SiteSharing: Sendable {
  /// Takes a slot of the site for a request that is about to be sent. `site` is the registrable domain, or
  /// address and port. `held` are the slots of the site that this process holds already. The slot must be
  /// released with `release`.
  func acquire(_ site: String, besides held: [Int], _ request: SiteRequest) -> SiteEntry
  /// Releases a slot. Returns true when another process waits for a slot of the site; the caller should let
  /// it take the next one.
  func release(_ site: String, slot: Int) -> Bool
  /// Signals to other processes that this process waits for a slot of the site.
  func announceWaiting(for site: String)
  /// Withdraws the signal of `announceWaiting`.
  func withdrawWaiting(for site: String)
}

/// A request that is about to be sent.
public struct SiteRequest: Hashable, Sendable {
  /// Maximum number of concurrent requests to the site.
  public var limit: Int
  /// Minimum time between the starts of two requests, in milliseconds.
  public var spacing: Int64
  /// True: the spacing applies to this request.
  public var isSpaced: Bool
  /// The machine's monotonic clock in milliseconds; all processes share it.
  public var now: Int64
  /// The feed that the request polls, if any.
  public var feed: Feed.ID?

  public init(limit: Int, spacing: Int64, isSpaced: Bool, now: Int64, feed: Feed.ID? = nil) {
    self.limit = limit
    self.spacing = spacing
    self.isSpaced = isSpaced
    self.now = now
    self.feed = feed
  }
}

/// The result of `SiteSharing.acquire`.
public enum SiteEntry: Hashable, Sendable {
  /// The request may be sent. `slot` is nil where slots cannot be locked.
  case acquired(slot: Int?)
  /// Other processes hold all slots. `lastStart` is the time of the site's last request from any process, if known.
  case busy(lastStart: Int64?)
  /// Another process has just sent a request to the site; wait until this time.
  case later(until: Int64)
  /// The store's server has not decided yet: call again at this time.
  case undecided(until: Int64)
  /// The request must not be sent: this process lost its lease on the feed.
  case refused
}
