public import NewsCore

/// How to display times: the time zone, the present time, and ages or dates.
public struct TimeDisplay: Hashable, Sendable {
  public var now: Timestamp
  public var zone: Zone
  /// True: lists show an age such as `3h` instead of a date.
  public var showsAges: Bool

  public init(now: Timestamp, zone: Zone = .utc, showsAges: Bool = true) {
    self.now = now
    self.zone = zone
    self.showsAges = showsAges
  }

  /// The age, or a date, as `Timestamp.age` returns it.
  public func age(_ time: Timestamp) -> String { time.age(at: now, in: zone) }

  /// The day, hour and minute.
  public func dateAndTime(_ time: Timestamp) -> String { LocaleDate.dateAndTime(time, in: zone) }
}
