public import NewsCore

/// How points in time are shown: in which zone, seen from which present, as ages or as dates.
public struct TimeDisplay: Hashable, Sendable {
  public var now: Timestamp
  public var zone: Zone
  /// True: lists show `3h` instead of a date.
  public var showsAges: Bool

  public init(now: Timestamp, zone: Zone = .utc, showsAges: Bool = true) {
    self.now = now
    self.zone = zone
    self.showsAges = showsAges
  }

  /// How long ago; a date when it is more than some weeks.
  public func age(_ time: Timestamp) -> String { time.age(at: now, in: zone) }

  /// The day, hour and minute.
  public func dateAndTime(_ time: Timestamp) -> String { LocaleDate.dateAndTime(time, in: zone) }
}
