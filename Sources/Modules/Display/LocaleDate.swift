import Glibc
public import NewsCore

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
