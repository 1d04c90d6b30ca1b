import NewsToolbox

/// A point in time, to the second, in UTC.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted; negative before it.
  public var seconds: Int64

  public init(seconds: Int64) {
    self.seconds = seconds
  }

  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.seconds < b.seconds }
  public static func + (a: Timestamp, seconds: Int64) -> Timestamp {
    Timestamp(seconds: a.seconds &+ seconds)
  }
  public static func - (a: Timestamp, seconds: Int64) -> Timestamp {
    Timestamp(seconds: a.seconds &- seconds)
  }
  /// Returns the seconds from `b` to `a`.
  public static func - (a: Timestamp, b: Timestamp) -> Int64 { a.seconds &- b.seconds }

  /// The seconds between two times in either order; `Int64.max` if there are more. Times of feeds, files and stores can be
  /// any numbers.
  public func distance(to other: Timestamp) -> Int64 {
    let (difference, isTooLong) = max(seconds, other.seconds)
      .subtractingReportingOverflow(min(seconds, other.seconds))
    return isTooLong ? .max : difference
  }
}

/// A date of the proleptic Gregorian calendar and a time of day, without a zone.
public struct CivilTime: Hashable, Sendable {
  public var year: Int
  /// 1 to 12.
  public var month: Int
  /// 1 to 31.
  public var day: Int
  /// 0 to 23.
  public var hour: Int
  /// 0 to 59.
  public var minute: Int
  /// 0 to 59.
  public var second: Int

  public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// Days from 1970-01-01 to this date. `month` 13 and days beyond the month's end carry over.
  public var daysSinceEpoch: Int {
    // Years begin in March here, so that the leap day is the last day of its year.
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The time of day: `08:15:00`.
  public var clock: String { "\(hour.digits(2)):\(minute.digits(2)):\(second.digits(2))" }

  /// The day of the week: 0 is Sunday, 6 is Saturday.
  public var weekday: Int {
    let day = (daysSinceEpoch + 4) % 7
    return day < 0 ? day + 7 : day
  }
}

extension Timestamp {
  /// The point in time that `civil` names in a zone `offset` seconds east of UTC.
  public init(_ civil: CivilTime, offset: Int = 0) {
    let days = Int64(civil.daysSinceEpoch)
    let time = Int64(civil.hour * 3600 + civil.minute * 60 + civil.second)
    seconds = days * 86_400 + time - Int64(offset)
  }

  /// Returns the date and time of day in a zone `offset` seconds east of UTC.
  public func civil(offset: Int = 0) -> CivilTime {
    let local = seconds &+ Int64(offset)
    var days = local / 86_400
    var rest = Int(local % 86_400)
    if rest < 0 {
      days -= 1
      rest += 86_400
    }
    days += 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = Int(days - era * 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthIndex = (5 * dayOfYear + 2) / 153
    let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
    return CivilTime(
      year: yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0),
      month: month,
      day: dayOfYear - (153 * monthIndex + 2) / 5 + 1,
      hour: rest / 3600,
      minute: rest / 60 % 60,
      second: rest % 60
    )
  }

  /// RFC 3339 in UTC, to the second: `2026-11-20T08:15:00Z`. Years are clamped to 0…9999, because RFC 3339 section 5.6
  /// allows four digits only.
  public var rfc3339: String {
    let low: Int64 = -62_167_219_200
    let high: Int64 = 253_402_300_799
    let c = Timestamp(seconds: min(max(seconds, low), high)).civil()
    return String(unsafeUninitializedCapacity: 20) { buffer in
      func put(_ value: Int, _ width: Int, at start: Int) {
        var value = value
        var index = start + width - 1
        while index >= start {
          buffer[index] = UInt8(ascii: "0") + UInt8(value % 10)
          value /= 10
          index -= 1
        }
      }
      put(c.year, 4, at: 0)
      buffer[4] = UInt8(ascii: "-")
      put(c.month, 2, at: 5)
      buffer[7] = UInt8(ascii: "-")
      put(c.day, 2, at: 8)
      buffer[10] = UInt8(ascii: "T")
      put(c.hour, 2, at: 11)
      buffer[13] = UInt8(ascii: ":")
      put(c.minute, 2, at: 14)
      buffer[16] = UInt8(ascii: ":")
      put(c.second, 2, at: 17)
      buffer[19] = UInt8(ascii: "Z")
      return 20
    }
  }
}
