public import NewsService

/// Reads the dates of feeds, whatever their form; see docs/formats.md for the list.
///
/// What cannot be read without guessing (`05/06/2004`) is absent. Without a zone a time is UTC, save for forms that
/// are known from one country only. A day that its month lacks runs over into the next month, an hour of 24 into the
/// next day; a leap second counts as the second before it.
public enum DateParser {
  /// Longer texts are no dates.
  static let maximumLength = 160

  public static func parse(_ text: String) -> Timestamp? {
    var text = text
    return text.withUTF8 { parse($0) }
  }

  /// The same for UTF-8 bytes.
  public static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    let trimmed = trim(bytes)
    guard !trimmed.isEmpty, trimmed.count <= maximumLength else { return nil }
    if let timestamp = parseUsualRFC822(trimmed) { return timestamp }
    switch ISODate.parse(trimmed) {
    case .timestamp(let timestamp): return timestamp
    case .invalid: return nil
    case .otherForm: return FreeDate.parse(trimmed)
    }
  }

  /// `Fri, 20 Nov 2026 08:15:00 +0000` or `… GMT`: nine of ten RSS dates, read without looking for tokens.
  private static func parseUsualRFC822(_ b: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    guard b.count >= 29, b[3] == 0x2C, b[4] == 0x20, b[7] == 0x20, b[11] == 0x20, b[16] == 0x20,
      b[19] == 0x3A,
      b[22] == 0x3A, b[25] == 0x20,
      let day = number(b, 5, 2), let year = number(b, 12, 4), let hour = number(b, 17, 2),
      let minute = number(b, 20, 2), let second = number(b, 23, 2),
      let month = DateNames.englishMonth(b[8], b[9], b[10])
    else { return nil }
    var offset = 0
    if b.count == 31, b[26] == 0x2B || b[26] == 0x2D, let hours = number(b, 27, 2),
      let minutes = number(b, 29, 2)
    {
      offset = (hours * 60 + minutes) * (b[26] == 0x2D ? -60 : 60)
    } else if !(b.count == 29 && b[26] == 0x47 && b[27] == 0x4D && b[28] == 0x54) {
      return nil
    }
    return DateParts(
      year: year,
      month: month,
      day: day,
      hour: hour,
      minute: minute,
      second: second,
      offset: offset
    ).timestamp
  }

  /// `count` decimal digits at `start`, or nil.
  static func number(_ b: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int) -> Int? {
    guard start + count <= b.count else { return nil }
    var value = 0
    for index in start..<start + count {
      let digit = b[index] &- 0x30
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }

  private static func trim(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var low = 0
    var high = bytes.count
    while low < high, bytes[low] <= 0x20 { low += 1 }
    while high > low, bytes[high - 1] <= 0x20 { high -= 1 }
    return UnsafeBufferPointer(rebasing: bytes[low..<high])
  }
}

/// What a date's text said, not yet checked.
struct DateParts {
  var year: Int
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0
  /// Seconds east of UTC.
  var offset = 0

  /// Nil when a part is out of its range.
  var timestamp: Timestamp? {
    guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
      (0...24).contains(hour),
      (0...59).contains(minute), (0...61).contains(second), abs(offset) < 86_400,
      hour < 24 || (minute == 0 && second == 0)
    else { return nil }
    let civil = CivilTime(
      year: year,
      month: month,
      day: day,
      hour: hour,
      minute: minute,
      second: min(second, 59)
    )
    return Timestamp(civil, offset: offset)
  }

  /// A week date (ISO 8601 section 4.1.4): week 1 holds the year's first Thursday, day 1 is Monday.
  static func weekDate(year: Int, week: Int, weekday: Int) -> DateParts? {
    guard (1...53).contains(week), (1...7).contains(weekday), (1...9999).contains(year) else { return nil }
    let fourth = CivilTime(year: year, month: 1, day: 4)
    let monday = fourth.daysSinceEpoch - (fourth.weekday + 6) % 7
    let days = monday + (week - 1) * 7 + weekday - 1
    let civil = Timestamp(seconds: Int64(days) * 86_400).civil()
    return DateParts(year: civil.year, month: civil.month, day: civil.day)
  }

  /// The nth day of a year, 1 to 366.
  static func ordinalDate(year: Int, day: Int) -> DateParts? {
    guard (1...366).contains(day), (1...9999).contains(year) else { return nil }
    let days = CivilTime(year: year, month: 1, day: 1).daysSinceEpoch + day - 1
    let civil = Timestamp(seconds: Int64(days) * 86_400).civil()
    return DateParts(year: civil.year, month: civil.month, day: civil.day)
  }
}
