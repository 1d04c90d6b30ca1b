public import NewsCore

/// Parses the dates of feeds in all the forms that docs/formats.md lists.
///
/// Returns nil for an ambiguous date (`05/06/2004`), an unknown month name, or a place name as zone. A time without a
/// zone is UTC, except in forms that only one country uses. A day after the end of its month becomes a day of the
/// next month, and hour 24 is the start of the next day. A leap second becomes the second before it.
public enum DateParser {
  /// Maximum length, in bytes, of a text that is parsed as a date.
  static let maximumLength = 160

  public static func parse(_ text: String) -> Timestamp? {
    var text = text
    return text.withUTF8 { parse($0) }
  }

  /// Parses a date from UTF-8 bytes.
  public static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    let trimmed = trim(bytes)
    guard !trimmed.isEmpty, trimmed.count <= maximumLength else { return nil }
    if let timestamp = parseUsualRFC822(trimmed) { return timestamp }
    let isASCII = trimmed.allSatisfy { $0 < 0x80 }
    guard !isASCII, let simple = DateText.simplified(trimmed) else { return parseAnyForm(trimmed) }
    guard let timestamp = simple.bytes.withUnsafeBufferPointer(parseAnyForm) else { return nil }
    // Non-ASCII digits often belong to another calendar: accept only plausible Gregorian years.
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

  /// Fast path for `Fri, 20 Nov 2026 08:15:00 +0000` and `… GMT`, the form of nine in ten RSS dates.
  private static func parseUsualRFC822(_ b: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    guard b.count >= 29, b[3] == UInt8(ascii: ","), b[4] == UInt8(ascii: " "), b[7] == UInt8(ascii: " "),
      b[11] == UInt8(ascii: " "), b[16] == UInt8(ascii: " "),
      b[19] == UInt8(ascii: ":"),
      b[22] == UInt8(ascii: ":"), b[25] == UInt8(ascii: " "),
      let day = DateDigits.number(b, 5, 2), let year = DateDigits.number(b, 12, 4),
      let hour = DateDigits.number(b, 17, 2),
      let minute = DateDigits.number(b, 20, 2), let second = DateDigits.number(b, 23, 2),
      let month = DateNames.englishMonth(b[8], b[9], b[10])
    else { return nil }
    var offset = 0
    if b.count == 31, b[26] == UInt8(ascii: "+") || b[26] == UInt8(ascii: "-"),
      let hours = DateDigits.number(b, 27, 2),
      let minutes = DateDigits.number(b, 29, 2), minutes < 60
    {
      offset = (hours * 60 + minutes) * (b[26] == UInt8(ascii: "-") ? -60 : 60)
    } else if !(b.count == 29 && b[26] == UInt8(ascii: "G") && b[27] == UInt8(ascii: "M")
      && b[28] == UInt8(ascii: "T"))
    {
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
    while low < high, bytes[low] <= UInt8(ascii: " ") { low += 1 }
    while high > low, bytes[high - 1] <= UInt8(ascii: " ") { high -= 1 }
    return UnsafeBufferPointer(rebasing: bytes[low..<high])
  }
}
