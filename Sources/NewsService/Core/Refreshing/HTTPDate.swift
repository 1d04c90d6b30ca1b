import NewsToolbox

/// Dates in HTTP fields: the three forms of RFC 9110 section 5.6.7, and deviations seen in practice.
public enum HTTPDate {
  /// Formats a time as in `Sat, 21 Nov 2026 11:58:48 GMT`.
  public static func text(_ time: Timestamp) -> String {
    let civil = time.civil()
    let day = "\(EnglishNames.weekdays[civil.weekday]), \(civil.day.digits(2))"
    return "\(day) \(EnglishNames.months[civil.month - 1]) \(civil.year) \(civil.clock) GMT"
  }

  /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov 6 08:49:37 1994`.
  /// The weekday is not checked; a numeric zone (`+0200`) is accepted. Returns nil for any other text. A
  /// two-digit year that would be more than 50 years after `now` belongs to the past century.
  public static func parse(_ text: String, now: Timestamp) -> Timestamp? {
    var words: [Substring] = []
    for part in text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\t" }) {
      // `06-Nov-94` contains three words, `-0500` is one.
      if part.dropFirst().contains("-"), part.first?.isNumber == true {
        words += part.split(ascii: "-")
      } else {
        words.append(part)
      }
    }
    if let first = words.first, first.first?.isLetter == true, EnglishNames.month(first) == nil {
      words.removeFirst()
    }
    guard words.count >= 4 else { return nil }
    if let month = EnglishNames.month(words[0]) {
      // asctime: month, day, time, year.
      return time(year: words[3], month: month, day: words[1], clock: words[2], zone: nil, now: now)
    }
    guard let month = EnglishNames.month(words[1]) else { return nil }
    return time(
      year: words[2],
      month: month,
      day: words[0],
      clock: words[3],
      zone: words.count > 4 ? words[4] : nil,
      now: now
    )
  }

  private static func time(
    year: Substring,
    month: Int,
    day: Substring,
    clock: Substring,
    zone: Substring?,
    now: Timestamp
  ) -> Timestamp? {
    guard let year = fullYear(year, now: now), let day = digits(day, 1...2), (1...31).contains(day) else {
      return nil
    }
    let parts = clock.split(ascii: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = digits(parts[0], 1...2), let minute = digits(parts[1], 1...2),
      let second = digits(parts[2], 1...2), hour < 24, minute < 60, second <= 60
    else { return nil }
    let civil = CivilTime(
      year: year,
      month: month,
      day: day,
      hour: hour,
      minute: minute,
      second: min(second, 59)
    )
    return Timestamp(civil, offset: offset(zone))
  }

  private static func fullYear(_ text: Substring, now: Timestamp) -> Int? {
    guard let value = digits(text, 2...4), text.count != 3 else { return nil }
    guard text.count == 2 else { return value }
    let current = now.civil().year
    let candidate = current - current % 100 + value
    return candidate > current + 50 ? candidate - 100 : candidate
  }

  /// Seconds east of UTC. Zone names all count as GMT, the only name that HTTP allows.
  private static func offset(_ zone: Substring?) -> Int {
    guard let zone, let sign = zone.first, sign == "+" || sign == "-", zone.count == 5,
      let value = digits(zone.dropFirst(), 4...4)
    else { return 0 }
    let seconds = (value / 100) * 3600 + (value % 100) * 60
    return sign == "-" ? -seconds : seconds
  }

  private static func digits(_ text: Substring, _ lengths: ClosedRange<Int>) -> Int? {
    guard lengths.contains(text.utf8.count), text.utf8.allSatisfy(ASCII.isDigit) else {
      return nil
    }
    return Int(text)
  }
}
