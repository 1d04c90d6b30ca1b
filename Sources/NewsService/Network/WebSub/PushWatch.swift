import NewsCore

/// Decides whether newsd can rely on the pushes of hubs. Feeds with a hub are polled rarely, so missing pushes must be
/// detected. All times are passed in.
struct PushWatch {
  /// Seconds without a push or confirmation after which feeds are polled at their normal interval again.
  static let patience: Int64 = 6 * 3600
  /// Seconds for which feeds are polled at their normal interval after hubs could not connect because all connections
  /// were in use.
  static let crowdedTime: Int64 = 3600

  /// The time of the last push or confirmation from a hub; before the first one, the time of the first check.
  private var lastContact: Timestamp?
  private var crowdedUntil: Timestamp?
  private var isSilenceReported = false

  /// Records a push or confirmation that this process received, or that another process stored. Returns a message to
  /// report; nil if there is none.
  mutating func recordContact(at now: Timestamp) -> String? {
    guard lastContact.map({ now > $0 }) ?? true else { return nil }
    lastContact = now
    guard isSilenceReported else { return nil }
    isSilenceReported = false
    return "hubs push again"
  }

  /// Returns the time until which a feed may be polled rarely, given the end of its lease; nil if the feed must be
  /// polled at its normal interval.
  func relianceEnd(lease: Timestamp, now: Timestamp) -> Timestamp? {
    if let crowdedUntil, crowdedUntil > now { return nil }
    let end = min(lease, min(lastContact ?? now, now) + Self.patience)
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

  /// Checks whether hubs have sent nothing for too long. A contact from the future, when the clock was ahead, counts as
  /// one now. Returns a message to report; nil if there is none.
  mutating func check(at now: Timestamp) -> String? {
    let last = min(lastContact ?? now, now)
    lastContact = last
    guard !isSilenceReported, now - last >= Self.patience else { return nil }
    isSilenceReported = true
    return "no hub has pushed for \(Self.patience / 3600) hours: feeds are polled by their rhythm"
  }
}
