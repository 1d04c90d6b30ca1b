import NewsCore

/// Whether hubs can be relied on: feeds that a hub pushes are polled rarely, so pushes that stay away must be noticed.
/// Knows no clock.
struct PushWatch {
  /// Seconds without any push or confirmation after which feeds are polled by their rhythm again: a quiet feed has no push
  /// for a day, and the default longest interval is a day as well.
  static let patience: Int64 = 24 * 3600
  /// Seconds for which feeds are polled by their rhythm after the listener had no connection left for hubs.
  static let crowdedTime: Int64 = 3600

  /// When a hub last pushed or confirmed something.
  private var lastContact: Timestamp?
  private var crowdedUntil: Timestamp?
  private var isSilenceReported = false

  /// Records that a hub has pushed or confirmed. Returns what to report.
  mutating func contact(at now: Timestamp) -> String? {
    lastContact = now
    guard isSilenceReported else { return nil }
    isSilenceReported = false
    return "hubs push again"
  }

  /// Returns until when a feed whose lease ends at `lease` may be polled rarely; nil: poll it by its rhythm.
  func reliance(lease: Timestamp, now: Timestamp) -> Timestamp? {
    if let crowdedUntil, crowdedUntil > now { return nil }
    let end = min(lease, (lastContact ?? now) + Self.patience)
    return end > now ? end : nil
  }

  /// Records that all connections are taken. Returns what to report; nil when that was reported before.
  mutating func crowded(at now: Timestamp) -> String? {
    let isKnown = crowdedUntil.map { $0 > now } ?? false
    crowdedUntil = now + Self.crowdedTime
    return isKnown
      ? nil
      : "all connections of the listener are taken, so hubs cannot push: feeds are polled by their rhythm"
  }

  /// Checks whether hubs have been silent for too long. Returns what to report.
  mutating func look(at now: Timestamp) -> String? {
    let last = lastContact ?? now
    lastContact = last
    guard !isSilenceReported, now - last >= Self.patience else { return nil }
    isSilenceReported = true
    return "no hub has pushed for \(Self.patience / 3600) hours: feeds are polled by their rhythm"
  }
}
