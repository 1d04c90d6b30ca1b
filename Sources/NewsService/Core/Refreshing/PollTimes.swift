/// Delays and times at which feeds and their servers ask to be polled.
enum PollTimes {
  /// Returns the minimum delays in seconds that hints and response fields ask for, unclamped, with their reasons.
  static func earliest(
    _ hints: PollHints,
    _ fresh: ResponseFreshness,
    now: Timestamp
  ) -> [(seconds: Int64, reason: DueReason)] {
    var delays: [(seconds: Int64, reason: DueReason)] = []
    if let remaining = fresh.remaining {
      delays.append((remaining, fresh.isFromExpires ? .expires : .maxAge))
    }
    if let ttl = hints.ttl, ttl > 0 { delays.append((Int64(min(ttl, 5_000_000)) * 60, .ttl)) }
    if let interval = hints.updateInterval, interval > 0 {
      delays.append((untilUpdate(interval, base: hints.updateBase, now: now), .updatePeriod))
    }
    return delays
  }

  /// Returns the seconds until the next update by the RSS Syndication module: updates happen at base + n × interval;
  /// without a base, one interval from now.
  private static func untilUpdate(_ interval: Int64, base: Timestamp?, now: Timestamp) -> Int64 {
    guard let base else { return interval }
    let elapsed = (now - base) % interval
    return interval - (elapsed < 0 ? elapsed + interval : elapsed)
  }

  /// Returns `due`, or the same minute of the first later hour that `skipHours` and `skipDays` allow. A list that
  /// excludes all hours or all days is a mistake and is ignored.
  static func skipping(_ hints: PollHints, from due: Timestamp) -> Timestamp {
    let hours = hints.skipHours & 0xFF_FFFF
    let days = hints.skipDays & 0x7F
    guard hours != 0 || days != 0 else { return due }
    let ignoresHours = hours == 0xFF_FFFF
    let ignoresDays = days == 0x7F
    var time = due
    for _ in 0..<(24 * 8) {
      let isSkipped =
        (!ignoresHours && isSkippedHour(hints, time)) || (!ignoresDays && isSkippedDay(hints, time))
      if !isSkipped { return time }
      time = time + 3600
    }
    return due
  }

  static func isSkippedHour(_ hints: PollHints, _ time: Timestamp) -> Bool {
    hints.skipHours & (1 << UInt32(time.civil().hour)) != 0
  }

  static func isSkippedDay(_ hints: PollHints, _ time: Timestamp) -> Bool {
    hints.skipDays & 0x7F != 0x7F && hints.skipDays & (1 << UInt8(time.civil().weekday)) != 0
  }
}
