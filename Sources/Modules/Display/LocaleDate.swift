import Glibc
public import NewsCore

/// Dates as people of the locale write them, where it says how; else year, month, day.
public enum LocaleDate {
  /// True when LC_TIME names a language. Read once: newsd sets its locale before anything else, and never again.
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
