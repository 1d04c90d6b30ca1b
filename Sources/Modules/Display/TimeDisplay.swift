import Glibc
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

/// Formats dates by the LC_TIME locale; as `2026-11-20` in the C locale.
public enum LocaleDate {
  /// True if LC_TIME is not the C locale. Read once, because newsd sets its locale only at startup.
  private static let isNamed: Bool = {
    guard let name = setlocale(LC_TIME, nil).map({ String(cString: $0) }) else { return false }
    return name != "C" && name != "POSIX" && !name.hasPrefix("C.")
  }()

  /// The day alone.
  public static func date(_ time: Timestamp, in zone: Zone) -> String {
    isNamed ? zone.format(time, "%x") : time.date(in: zone)
  }

  /// The day, hour and minute.
  public static func dateAndTime(_ time: Timestamp, in zone: Zone) -> String {
    isNamed ? zone.format(time, "%x %H:%M") : time.dateAndTime(in: zone)
  }
}
