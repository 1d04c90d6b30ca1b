import NewsCore
import NewsToolbox

/// Parses dates that begin with a four-digit year: RFC 3339, W3C-DTF with any part missing, ISO 8601 basic,
/// ordinal and week dates, and SQL Server's variant with a space and fractions. Parses Unix times too, and
/// five or six digits that begin with the year 2000 to 2099 in two digits (`261120`).
enum ISODate {
  enum Result {
    case timestamp(Timestamp)
    /// The text has an ISO form, but a part is out of range.
    case invalid
    case otherForm
  }

  static func parse(_ b: UnsafeBufferPointer<UInt8>) -> Result {
    var digits = 0
    while digits < b.count, ASCII.isDigit(b[digits]) { digits += 1 }
    guard digits >= 4 else { return digits == b.count ? .invalid : .otherForm }
    if digits == b.count { return result(ofDigits: b) }
    if digits >= 9, b[digits] == UInt8(ascii: ".") { return unixTime(b, digits: digits) }
    guard let (parts, end) = date(b, digits: digits) else { return .otherForm }
    guard let parts else { return .invalid }
    return time(b, from: end, date: parts)
  }

  /// Parses text that contains only digits. Its length determines the form.
  private static func result(ofDigits b: UnsafeBufferPointer<UInt8>) -> Result {
    func number(_ start: Int, _ count: Int) -> Int { DateDigits.number(b, start, count) ?? -1 }
    func twoDigitYear() -> Int { number(0, 2) + 2000 }
    let parts: DateParts?
    switch b.count {
    case 4: parts = DateParts(year: number(0, 4))
    case 5: parts = DateParts.ordinalDate(year: twoDigitYear(), day: number(2, 3))
    case 6: parts = DateParts(year: twoDigitYear(), month: number(2, 2), day: number(4, 2))
    case 7: parts = DateParts.ordinalDate(year: number(0, 4), day: number(4, 3))
    case 8: parts = DateParts(year: number(0, 4), month: number(4, 2), day: number(6, 2))
    case 9, 10, 13, 16: return unixTime(b, digits: b.count)
    case 12, 14:
      parts = DateParts(
        year: number(0, 4),
        month: number(4, 2),
        day: number(6, 2),
        hour: number(8, 2),
        minute: number(10, 2),
        second: b.count == 14 ? number(12, 2) : 0
      )
    default: parts = nil
    }
    guard let timestamp = parts?.timestamp else { return .invalid }
    return .timestamp(timestamp)
  }

  /// Parses seconds, milliseconds (13 digits) or microseconds (16 digits) since 1970, and drops fractions.
  private static func unixTime(_ b: UnsafeBufferPointer<UInt8>, digits: Int) -> Result {
    guard digits <= 16, let number = DateDigits.number(b, 0, digits) else { return .invalid }
    var index = digits
    if index < b.count {
      index += 1
      while index < b.count, ASCII.isDigit(b[index]) { index += 1 }
      guard index == b.count else { return .otherForm }
    }
    switch digits {
    case ...10: return .timestamp(Timestamp(seconds: Int64(number)))
    case 13: return .timestamp(Timestamp(seconds: Int64(number / 1000)))
    case 16: return .timestamp(Timestamp(seconds: Int64(number / 1_000_000)))
    default: return .invalid
    }
  }

  /// Parses the date and returns it with the index after it. The result is nil for another form; its parts are nil if
  /// a part is out of range.
  private static func date(_ b: UnsafeBufferPointer<UInt8>, digits: Int) -> (DateParts?, Int)? {
    func number(_ start: Int, _ count: Int) -> Int? { DateDigits.number(b, start, count) }
    func isDigit(_ index: Int) -> Bool { index < b.count && ASCII.isDigit(b[index]) }
    guard let year = number(0, 4) else { return nil }
    if digits == 8, let month = number(4, 2), let day = number(6, 2) {
      return (DateParts(year: year, month: month, day: day), 8)
    }
    if digits == 7, let day = number(4, 3) { return (DateParts.ordinalDate(year: year, day: day), 7) }
    guard digits == 4 else { return nil }
    let separator = b[4]
    if separator | 0x20 == UInt8(ascii: "w") {
      guard let week = number(5, 2) else { return nil }
      guard isDigit(7) else { return (DateParts.weekDate(year: year, week: week, weekday: 1), 7) }
      return (DateParts.weekDate(year: year, week: week, weekday: Int(b[7] - UInt8(ascii: "0"))), 8)
    }
    if separator | 0x20 == UInt8(ascii: "t") { return (DateParts(year: year), 4) }
    guard isDateSeparator(separator) else { return nil }
    if b.count > 5, b[5] | 0x20 == UInt8(ascii: "w") {
      guard let week = number(6, 2) else { return nil }
      guard b.count > 9, b[8] == UInt8(ascii: "-"), isDigit(9) else {
        return (DateParts.weekDate(year: year, week: week, weekday: 1), 8)
      }
      return (DateParts.weekDate(year: year, week: week, weekday: Int(b[9] - UInt8(ascii: "0"))), 10)
    }
    var monthDigits = 0
    while isDigit(5 + monthDigits) { monthDigits += 1 }
    let afterMonth = 5 + monthDigits
    if monthDigits == 3, let day = number(5, 3) {
      return (DateParts.ordinalDate(year: year, day: day), afterMonth)
    }
    guard (1...2).contains(monthDigits), let month = number(5, monthDigits) else { return nil }
    guard afterMonth < b.count, b[afterMonth] == separator, isDigit(afterMonth + 1) else {
      return separator == UInt8(ascii: ":") ? nil : (DateParts(year: year, month: month), afterMonth)
    }
    let dayDigits = isDigit(afterMonth + 2) ? 2 : 1
    guard let day = number(afterMonth + 1, dayDigits) else { return nil }
    return (DateParts(year: year, month: month, day: day), afterMonth + 1 + dayDigits)
  }

  /// True for a separator of `2026-11-20`, `2026/11/20`, `2026.11.20`, or `2026:11:20` (Exif).
  private static func isDateSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: ":"): true
    default: false
    }
  }

  private static func time(_ b: UnsafeBufferPointer<UInt8>, from start: Int, date: DateParts) -> Result {
    var parts = date
    var index = start
    while index < b.count, b[index] == UInt8(ascii: " ") || b[index] == UInt8(ascii: "\t") { index += 1 }
    if index < b.count, b[index] | 0x20 == UInt8(ascii: "t") || b[index] == UInt8(ascii: ",") { index += 1 }
    while index < b.count, b[index] == UInt8(ascii: " ") || b[index] == UInt8(ascii: "\t") { index += 1 }
    if DateDigits.isDigit(b, index) {
      guard let end = timeOfDay(b, from: index, into: &parts) else { return .otherForm }
      let isTwelveHour = (1...12).contains(parts.hour) && end - index > 2
      index = end
      if isHalfOfDay(b, index) { return .otherForm }
      if mayNamePartOfDay(b, index, isTwelveHour: isTwelveHour) {
        // `FreeDate` does not read `20230622T080709`: only the day is certain.
        guard DateDigits.isDigit(b, 4), isTwelveHour else { return .otherForm }
        parts.dropTime()
        return parts.timestamp.map { .timestamp($0) } ?? .invalid
      }
    }
    guard let zone = DateZone.parse(b, from: index) else { return .otherForm }
    parts.offset = zone
    guard let timestamp = parts.timestamp else { return .invalid }
    return .timestamp(timestamp)
  }

  /// True when `AM` or `p.m.` follows.
  private static func isHalfOfDay(_ b: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
    var index = start
    while index < b.count, b[index] == UInt8(ascii: " ") || b[index] == UInt8(ascii: "\t") { index += 1 }
    guard index < b.count, b[index] | 0x20 == UInt8(ascii: "a") || b[index] | 0x20 == UInt8(ascii: "p") else {
      return false
    }
    index += 1
    if index < b.count, b[index] == UInt8(ascii: ".") { index += 1 }
    guard index < b.count, b[index] | 0x20 == UInt8(ascii: "m") else { return false }
    return index + 1 == b.count || !DateZone.isLetter(b[index + 1])
  }

  /// True if a word or comment follows that may name a part of the day. `FreeDate` then determines its meaning.
  private static func mayNamePartOfDay(
    _ b: UnsafeBufferPointer<UInt8>,
    _ start: Int,
    isTwelveHour: Bool
  ) -> Bool {
    var index = start
    while index < b.count, b[index] == UInt8(ascii: " ") || b[index] == UInt8(ascii: "\t") { index += 1 }
    if index < b.count, b[index] == UInt8(ascii: "(") { index += 1 }
    guard index < b.count, DateZone.isLetter(b[index]) else { return false }
    let zone = DateZone.name(b, from: index)
    if zone.end - index == 1 { return isTwelveHour && b[index] | 0x20 != UInt8(ascii: "z") }
    guard zone.offset == nil, !zone.isPlace else { return false }
    let range = index..<zone.end
    // Three or more capitals name an unknown zone.
    if range.count == 2 || isTwelveHour && !DateZone.isUpperCase(b, range) { return true }
    return !DateNames.meaning(DateNames.folded(UnsafeBufferPointer(rebasing: b[range]))).isUnknown
  }

  /// Parses the time of day and returns the index after it; nil if there is none. A fraction applies to the last part
  /// that is present (ISO 8601 section 4.2.2.4).
  private static func timeOfDay(
    _ b: UnsafeBufferPointer<UInt8>,
    from start: Int,
    into parts: inout DateParts
  ) -> Int? {
    var index = start
    var width = 0
    while DateDigits.isDigit(b, index + width) { width += 1 }
    /// Seconds per unit of the last part that is present.
    var unit = 3600
    switch width {
    case 1, 2:
      parts.hour = DateDigits.number(b, index, width) ?? 99
      index += width
      var hasDots = false
      for field in 0..<2 {
        guard index < b.count,
          b[index] == UInt8(ascii: ":") || (b[index] == UInt8(ascii: ".") && (field == 0 || hasDots))
        else {
          break
        }
        var digits = 0
        while digits < 2, DateDigits.isDigit(b, index + 1 + digits) { digits += 1 }
        // `10.5` is a fraction of an hour: minutes after a dot have two digits.
        guard digits > (b[index] == UInt8(ascii: ".") ? 1 : 0),
          let value = DateDigits.number(b, index + 1, digits)
        else {
          break
        }
        if field == 0 { parts.minute = value } else { parts.second = value }
        if field == 0 { hasDots = b[index] == UInt8(ascii: ".") }
        unit /= 60
        index += 1 + digits
      }
    case 4, 6:
      parts.hour = DateDigits.number(b, index, 2) ?? 99
      parts.minute = DateDigits.number(b, index + 2, 2) ?? 99
      parts.second = width == 6 ? DateDigits.number(b, index + 4, 2) ?? 99 : 0
      unit = width == 6 ? 1 : 60
      index += width
    default: return nil
    }
    guard index < b.count,
      b[index] == UInt8(ascii: ".") || b[index] == UInt8(ascii: ",") || b[index] == UInt8(ascii: ":")
    else { return index }
    let (seconds, end) = DateDigits.fraction(b, index + 1, of: unit)
    if unit == 3600 {
      parts.minute = seconds / 60
      parts.second = seconds % 60
    } else if unit == 60 {
      parts.second = seconds
    }
    return end
  }
}
