import NewsCore

/// Whether hubs can be relied on: feeds that a hub pushes are polled rarely, so pushes that stay away must be noticed.
/// Knows no clock.
struct PushWatch {
  /// Seconds without any push or confirmation after which feeds are polled by their rhythm again.
  static let patience: Int64 = 6 * 3600
  /// Seconds during which they are, after the listener had no connection left for hubs.
  static let crowdedTime: Int64 = 3600

  /// When a hub last pushed or confirmed something.
  private var lastContact: Timestamp?
  private var crowdedUntil: Timestamp?
  private var isSilenceReported = false

  /// A hub has pushed or confirmed. Returns what to report.
  mutating func contact(at now: Timestamp) -> String? {
    lastContact = now
    guard isSilenceReported else { return nil }
    isSilenceReported = false
    return "hubs push again"
  }

  /// Until when polls may be rare for a feed whose lease ends at `lease`; nil: they may not.
  func reliance(lease: Timestamp, now: Timestamp) -> Timestamp? {
    if let crowdedUntil, crowdedUntil > now { return nil }
    let end = min(lease, (lastContact ?? now) + Self.patience)
    return end > now ? end : nil
  }

  /// Takes note of all connections being taken. Returns what to report; nil when that is known.
  mutating func crowded(at now: Timestamp) -> String? {
    let isKnown = crowdedUntil.map { $0 > now } ?? false
    crowdedUntil = now + Self.crowdedTime
    return isKnown
      ? nil
      : "all connections of the listener are taken, so hubs cannot push: feeds are polled by their rhythm"
  }

  /// Looks whether hubs have been silent for too long. Returns what to report.
  mutating func look(at now: Timestamp) -> String? {
    let last = lastContact ?? now
    lastContact = last
    guard !isSilenceReported, now - last >= Self.patience else { return nil }
    isSilenceReported = true
    return "no hub has pushed for \(Self.patience / 3600) hours: feeds are polled by their rhythm"
  }
}
