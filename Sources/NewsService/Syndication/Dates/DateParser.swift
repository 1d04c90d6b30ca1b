public import NewsCore

/// Reads the dates of feeds, whatever their form; see docs/formats.md for the list.
///
/// What cannot be read without guessing (`05/06/2004`, a month's name in no language known, a zone given as a place) is
/// absent. Without a zone a time is UTC, save for forms that
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
    let isASCII = trimmed.allSatisfy { $0 < 0x80 }
    guard !isASCII, let simple = DateText.simplified(trimmed) else { return parseAnyForm(trimmed) }
    guard let timestamp = simple.bytes.withUnsafeBufferPointer(parseAnyForm) else { return nil }
    // Digits of other scripts often count years of other calendars.
    guard !simple.hasForeignDigits || (1700..<2400).contains(timestamp.civil().year) else { return nil }
    return timestamp
  }

  private static func parseAnyForm(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    switch ISODate.parse(bytes) {
    case .timestamp(let timestamp): timestamp
    case .invalid: nil
    case .otherForm: FreeDate.parse(bytes)
    }
  }

  /// `Fri, 20 Nov 2026 08:15:00 +0000` or `… GMT`: nine of ten RSS dates, read without looking for tokens.
  private static func parseUsualRFC822(_ b: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    guard b.count >= 29, b[3] == 0x2C, b[4] == 0x20, b[7] == 0x20, b[11] == 0x20, b[16] == 0x20,
      b[19] == 0x3A,
      b[22] == 0x3A, b[25] == 0x20,
      let day = DateDigits.number(b, 5, 2), let year = DateDigits.number(b, 12, 4),
      let hour = DateDigits.number(b, 17, 2),
      let minute = DateDigits.number(b, 20, 2), let second = DateDigits.number(b, 23, 2),
      let month = DateNames.englishMonth(b[8], b[9], b[10])
    else { return nil }
    var offset = 0
    if b.count == 31, b[26] == 0x2B || b[26] == 0x2D, let hours = DateDigits.number(b, 27, 2),
      let minutes = DateDigits.number(b, 29, 2), minutes < 60
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

  private static func trim(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var low = 0
    var high = bytes.count
    while low < high, bytes[low] <= 0x20 { low += 1 }
    while high > low, bytes[high - 1] <= 0x20 { high -= 1 }
    return UnsafeBufferPointer(rebasing: bytes[low..<high])
  }
}
