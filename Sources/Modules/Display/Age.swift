public import NewsCore

extension Timestamp {
  /// How long ago, in a unit that leaves one or two digits; a date when it is more than some weeks.
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
