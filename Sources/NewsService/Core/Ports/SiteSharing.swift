/// Keeps the limits of one site (`per_site`, `spacing`) across all processes on one store.
public protocol SiteSharing: Sendable {
  /// Takes one of the site's places for a request that is about to leave.
  ///
  /// - Parameters:
  ///   - site: The registrable domain, or address and port.
  ///   - held: The places that the caller has there already.
  ///   - request: The request that needs a slot.
  /// - Returns: A place, to be given back with `leave`, or why there is none.
  func enter(_ site: String, besides held: [Int], _ request: SiteRequest) -> SiteEntry
  /// Gives a place back.
  ///
  /// - Parameters:
  ///   - site: As for `enter`.
  ///   - place: What `enter` gave.
  /// - Returns: True when another process waits for a place of the site: it should have the next one.
  func leave(_ site: String, place: Int) -> Bool
  /// Lets the others know that this process waits for a place, too.
  func wait(for site: String)
  /// This process does not wait any more.
  func stopWaiting(for site: String)
}

/// A request that is about to leave.
public struct SiteRequest: Hashable, Sendable {
  /// Requests to the site at a time.
  public var limit: Int
  /// Milliseconds between the starts of two.
  public var spacing: Int64
  /// Whether this one has to keep them.
  public var isSpaced: Bool
  /// Milliseconds of the machine's steady clock, which all processes share.
  public var now: Int64

  public init(limit: Int, spacing: Int64, isSpaced: Bool, now: Int64) {
    self.limit = limit
    self.spacing = spacing
    self.isSpaced = isSpaced
    self.now = now
  }
}

/// The result of `SiteSharing.enter`.
public enum SiteEntry: Hashable, Sendable {
  /// Nil: places cannot be told apart here; the request may leave.
  case entered(place: Int?)
  /// Other processes have all places; when the last request of any process left, where that is known.
  case busy(lastStart: Int64?)
  /// Another process has just asked; not before that time.
  case later(until: Int64)
}
