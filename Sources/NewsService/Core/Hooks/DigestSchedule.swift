/// The times at which a hook sends the items that it has collected.
public enum DigestSchedule: Hashable, Sendable {
  /// At each multiple of this many seconds since 1970, in UTC; 3600 means every full hour.
  case every(Int64)
  /// Each day at this time, in seconds after midnight of the local zone.
  case at(Int64)

  /// Returns the latest scheduled time that has passed. Entries older than it are sent. `offset` returns the
  /// local zone's offset from UTC at a time, in seconds.
  public func latest(notAfter now: Timestamp, offset: (Timestamp) -> Int) -> Timestamp {
    switch self {
    case .every(let interval):
      let rest = now.seconds % max(interval, 1)
      return now - (rest < 0 ? rest + interval : rest)
    case .at(let time):
      // Start with today's time, at the offset that applies then, and go back until the time has passed.
      for daysAgo in Int64(0)...2 {
        let day = Int64((now - daysAgo * 86_400).civil(offset: offset(now)).daysSinceEpoch)
        let local = Timestamp(seconds: day * 86_400 + time)
        let guess = local - Int64(offset(now))
        let found = local - Int64(offset(guess))
        if found <= now { return found }
      }
      return now - 86_400
    }
  }
}
