import NewsCore

/// The components of a date as written, not yet validated.
struct DateParts {
  var year: Int
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0
  /// Offset of the zone, in seconds east of UTC.
  var offset = 0

  /// Resets the time of day to midnight.
  mutating func dropTime() { (hour, minute, second) = (0, 0, 0) }

  /// The parts as an instant; nil if a part is out of range.
  var timestamp: Timestamp? {
    guard (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
      (0...24).contains(hour),
      (0...59).contains(minute), (0...60).contains(second), abs(offset) < 86_400
    else { return nil }
    let civil = CivilTime(
      year: year,
      month: month,
      day: day,
      hour: hour,
      minute: minute,
      second: min(second, 59)
    )
    // A zone west of UTC can move the end of 9999 into year 10000, which is unsupported.
    let last = Int64(253_402_300_799)
    guard year < 9999 || Timestamp(civil).seconds <= last + Int64(min(offset, 0)) else { return nil }
    return Timestamp(civil, offset: offset)
  }

  /// Converts a week date (ISO 8601 section 4.1.4). Week 1 contains the year's first Thursday; day 1 is Monday.
  static func weekDate(year: Int, week: Int, weekday: Int) -> DateParts? {
    guard (1...53).contains(week), (1...7).contains(weekday), (0...9999).contains(year) else { return nil }
    let fourth = CivilTime(year: year, month: 1, day: 4)
    let monday = fourth.daysSinceEpoch - (fourth.weekday + 6) % 7
    let days = monday + (week - 1) * 7 + weekday - 1
    let civil = Timestamp(seconds: Int64(days) * 86_400).civil()
    return DateParts(year: civil.year, month: civil.month, day: civil.day)
  }

  /// Converts an ordinal date, whose day is 1 to 366.
  static func ordinalDate(year: Int, day: Int) -> DateParts? {
    guard (1...366).contains(day), (0...9999).contains(year) else { return nil }
    let days = CivilTime(year: year, month: 1, day: 1).daysSinceEpoch + day - 1
    let civil = Timestamp(seconds: Int64(days) * 86_400).civil()
    return DateParts(year: civil.year, month: civil.month, day: civil.day)
  }
}
