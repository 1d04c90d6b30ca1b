import NewsCore

/// Decides whether hubs can be relied on. Feeds with a hub are polled rarely, so missing pushes must be detected. All
/// times are passed in.
struct PushWatch {
  /// Time without a push or confirmation after which feeds are polled at their normal interval again, in seconds.
  static let patience: Int64 = 6 * 3600
  /// How long feeds are polled at their normal interval after the listener had no free connection for hubs, in seconds.
  static let crowdedTime: Int64 = 3600

  /// The time of the last push or confirmation from a hub.
  private var lastContact: Timestamp?
  private var crowdedUntil: Timestamp?
  private var isSilenceReported = false

  /// Records a push or confirmation that this process, or earlier another one, received. Returns a message to report,
  /// if any.
  mutating func recordContact(at now: Timestamp) -> String? {
    guard lastContact.map({ now > $0 }) ?? true else { return nil }
    lastContact = now
    guard isSilenceReported else { return nil }
    isSilenceReported = false
    return "hubs push again"
  }

  /// Returns until when a feed may be polled rarely, given the end of its lease; nil if it must be polled normally.
  func relianceEnd(lease: Timestamp, now: Timestamp) -> Timestamp? {
    if let crowdedUntil, crowdedUntil > now { return nil }
    let end = min(lease, (lastContact ?? now) + Self.patience)
    return end > now ? end : nil
  }

  /// Records that all connections are in use. Returns a message to report; nil if it was already reported.
  mutating func recordFullListener(at now: Timestamp) -> String? {
    let isKnown = crowdedUntil.map { $0 > now } ?? false
    crowdedUntil = now + Self.crowdedTime
    return isKnown
      ? nil
      : "all connections of the listener are taken, so hubs cannot push: feeds are polled by their rhythm"
  }

  /// Checks whether hubs have been silent for too long. Returns a message to report, if any.
  mutating func check(at now: Timestamp) -> String? {
    let last = lastContact ?? now
    lastContact = last
    guard !isSilenceReported, now - last >= Self.patience else { return nil }
    isSilenceReported = true
    return "no hub has pushed for \(Self.patience / 3600) hours: feeds are polled by their rhythm"
  }
}
