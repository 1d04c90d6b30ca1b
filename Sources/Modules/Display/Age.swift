public import NewsCore

extension Timestamp {
  /// The age in minutes, hours or days; `now` below a minute, and for times up to an hour in the future.
  /// Returns a date if the time is 60 days or more ago, or more than an hour in the future.
  public func age(at now: Timestamp, in zone: Zone) -> String {
    let seconds = now - self
    switch seconds {
    case ..<60: return seconds < -3600 ? LocaleDate.date(self, in: zone) : "now"
    case ..<3600: return "\(seconds / 60)m"
    case ..<86_400: return "\(seconds / 3600)h"
    case ..<(60 * 86_400): return "\(seconds / 86_400)d"
    default: return LocaleDate.date(self, in: zone)
    }
  }
}
