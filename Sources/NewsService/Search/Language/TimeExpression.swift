public import NewsCore
import NewsToolbox

/// Parses times as users type them, after `--since` and `--until` and in queries.
public enum TimeExpression {
  /// Examples of accepted texts, for messages.
  public static let examples = "3d, 12h, 2w, 2026-11-20, 2026-11-20T08:15:00Z, today, yesterday"

  /// Reads
  /// - a span before `now`: a number with `s`, `m`, `h`, `d`, `w` or `y` (365 days);
  /// - a date, `2026-11-20`, `2026-11` or `2026`: its start in UTC;
  /// - RFC 3339 with optional seconds and offset (default UTC);
  /// - `now`, and `today` or `yesterday`: the start of that day in UTC.
  ///
  /// Returns nil for any other text.
  public static func parse(_ text: String, now: Timestamp) -> Timestamp? {
    let bytes = text.utf8.map(ASCII.lowercase)
    switch String(decoding: bytes, as: UTF8.self) {
    case "now": return now
    case "today": return startOfDay(now)
    case "yesterday": return startOfDay(now - 86_400)
    default: return span(bytes, now) ?? date(bytes)
    }
  }

  /// Reads the end of a period that begins now, as rules have it: a span is added to `now`; everything else is read as
  /// `parse` reads it.
  public static func parseEnd(_ text: String, now: Timestamp) -> Timestamp? {
    guard let past = span(text.utf8.map(ASCII.lowercase), now) else { return parse(text, now: now) }
    return now + (now.seconds - past.seconds)
  }

  private static func startOfDay(_ time: Timestamp) -> Timestamp {
    let c = time.civil()
    return Timestamp(CivilTime(year: c.year, month: c.month, day: c.day))
  }

  private static func span(_ bytes: [UInt8], _ now: Timestamp) -> Timestamp? {
    guard let unit = bytes.last, bytes.count >= 2, bytes.count <= 8 else { return nil }
    let seconds: Int64
    switch unit {
    case UInt8(ascii: "s"): seconds = 1
    case UInt8(ascii: "m"): seconds = 60
    case UInt8(ascii: "h"): seconds = 3600
    case UInt8(ascii: "d"): seconds = 86_400
    case UInt8(ascii: "w"): seconds = 7 * 86_400
    case UInt8(ascii: "y"): seconds = 365 * 86_400
    default: return nil
    }
    guard let count = number(bytes[..<(bytes.count - 1)]) else { return nil }
    return now - Int64(count) * seconds
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.count < 10 else { return nil }
    var value = 0
    for digit in digits {
      guard ASCII.isDigit(digit) else { return nil }
      value = value * 10 + Int(digit &- UInt8(ascii: "0"))
    }
    return value
  }

  private static func date(_ bytes: [UInt8]) -> Timestamp? {
    var reader = DigitReader(bytes: bytes)
    guard let year = reader.digits(4) else { return nil }
    var civil = CivilTime(year: year, month: 1, day: 1)
    if reader.isAtEnd { return Timestamp(civil) }
    guard reader.skip(UInt8(ascii: "-")), let month = reader.digits(2), (1...12).contains(month) else {
      return nil
    }
    civil.month = month
    if reader.isAtEnd { return Timestamp(civil) }
    guard reader.skip(UInt8(ascii: "-")), let day = reader.digits(2),
      (1...days(in: month, of: year)).contains(day)
    else { return nil }
    civil.day = day
    if reader.isAtEnd { return Timestamp(civil) }
    guard reader.skip(UInt8(ascii: "t")) || reader.skip(UInt8(ascii: " ")) || reader.skip(UInt8(ascii: "_"))
    else { return nil }
    guard let hour = reader.digits(2), hour < 24, reader.skip(UInt8(ascii: ":")),
      let minute = reader.digits(2),
      minute < 60
    else { return nil }
    civil.hour = hour
    civil.minute = minute
    if reader.skip(UInt8(ascii: ":")) {
      // 60 is a leap second (RFC 3339 section 5.6); it counts as 59.
      guard let second = reader.digits(2), second <= 60 else { return nil }
      civil.second = min(second, 59)
      if reader.skip(UInt8(ascii: ".")) { guard reader.skipDigits() else { return nil } }
    }
    if reader.isAtEnd || (reader.skip(UInt8(ascii: "z")) && reader.isAtEnd) { return Timestamp(civil) }
    let isWest = reader.skip(UInt8(ascii: "-"))
    guard isWest || reader.skip(UInt8(ascii: "+")), let hours = reader.digits(2), hours < 24 else {
      return nil
    }
    _ = reader.skip(UInt8(ascii: ":"))
    guard let minutes = reader.digits(2), minutes < 60, reader.isAtEnd else { return nil }
    let offset = hours * 3600 + minutes * 60
    return Timestamp(civil, offset: isWest ? -offset : offset)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let next =
      month == 12
      ? CivilTime(year: year + 1, month: 1, day: 1)
      : CivilTime(year: year, month: month + 1, day: 1)
    return next.daysSinceEpoch - CivilTime(year: year, month: month, day: 1).daysSinceEpoch
  }
}

/// Reads fixed-width numbers from bytes.
private struct DigitReader {
  let bytes: [UInt8]
  var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { index == bytes.count }

  mutating func digits(_ count: Int) -> Int? {
    guard index + count <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[index..<index + count] {
      guard ASCII.isDigit(byte) else { return nil }
      value = value * 10 + Int(byte &- UInt8(ascii: "0"))
    }
    index += count
    return value
  }

  mutating func skip(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  /// Skips digits; returns false if there are none.
  mutating func skipDigits() -> Bool {
    let start = index
    while index < bytes.count, ASCII.isDigit(bytes[index]) { index += 1 }
    return index > start
  }
}
