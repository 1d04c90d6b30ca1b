import NewsCore
import NewsToolbox

/// Validates single values against the forms that the feed specifications require.
enum CheckedValue {
  /// Describes, as the rest of a sentence, what is wrong with an RSS date. Returns nil for `Fri, 20 Nov 2026 08:15:00
  /// +0000` and the other forms of RFC 822 section 5.
  static func faultOfRFC822(_ text: String) -> String? {
    let form = "is not an RFC 822 date such as Fri, 20 Nov 2026 08:15:00 +0000"
    var words = text.split(ascii: " ", omittingEmptySubsequences: true).map(String.init)
    var weekday: Int?
    if let first = words.first, first.hasSuffix(",") {
      guard let day = EnglishNames.weekdays.firstIndex(of: String(first.dropLast())) else { return form }
      weekday = day
      words.removeFirst()
    }
    guard words.count == 5, (1...2).contains(words[0].utf8.count), let day = number(words[0]),
      let month = EnglishNames.months.firstIndex(of: words[1]), [2, 4].contains(words[2].utf8.count),
      var year = number(words[2]), isClock(words[3]), isZone(words[4])
    else { return form }
    if words[2].utf8.count == 2 { year += year < 50 ? 2000 : 1900 }
    guard isDay(day, month: month + 1, year: year) else {
      return "is not a valid date: \(text.prefix(60))"
    }
    let actual = CivilTime(year: year, month: month + 1, day: day).weekday
    if let weekday, weekday != actual {
      return "has the wrong day of the week: \(text.prefix(60)) is a \(EnglishNames.weekdays[actual])"
    }
    return nil
  }

  /// Describes what is wrong with a JSON Feed date (RFC 3339).
  static func faultOfRFC3339(_ text: String) -> String? {
    let form = "is not an RFC 3339 date such as 2026-11-20T08:15:00Z"
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[10] | 0x20 == UInt8(ascii: "t"), isDate(bytes[..<10]), isTime(bytes[11...])
    else {
      return form
    }
    return faultOfDay(text)
  }

  /// Describes what is wrong with an Atom date (RFC 4287 section 3.3), in which `T` and `Z` are upper case.
  static func faultOfAtomDate(_ text: String) -> String? {
    if let fault = faultOfRFC3339(text) { return fault }
    return text.utf8.contains(UInt8(ascii: "t")) || text.utf8.contains(UInt8(ascii: "z"))
      ? "has t or z in lower case: \(text.prefix(60))" : nil
  }

  /// Describes what is wrong with a Dublin Core date: W3C-DTF, in which day and time are optional.
  static func faultOfW3CDate(_ text: String) -> String? {
    let form = "is not a W3C-DTF date such as 2026-11-20T08:15:00Z or 2026-11-20"
    let bytes = Array(text.utf8)
    if bytes.count == 4 || bytes.count == 7 || bytes.count == 10 {
      guard isDate(bytes[...]) else { return form }
      return bytes.count == 10 ? faultOfDay(text) : nil
    }
    guard bytes.count >= 17, bytes[10] == UInt8(ascii: "T"), isDate(bytes[..<10]) else { return form }
    // Seconds are optional.
    let hasSeconds = bytes[16] == UInt8(ascii: ":")
    guard isTime(hasSeconds ? bytes[11...] : bytes[11..<16] + Array(":00".utf8) + bytes[16...]) else {
      return form
    }
    return faultOfDay(text)
  }

  private static func faultOfDay(_ text: String) -> String? {
    let parts = text.prefix(10).split(ascii: "-").map { number(String($0)) ?? 0 }
    guard parts.count == 3, isDay(parts[2], month: parts[1], year: parts[0]) else {
      return "is not a valid date: \(text.prefix(60))"
    }
    return nil
  }

  private static func isDay(_ day: Int, month: Int, year: Int) -> Bool {
    guard (1...12).contains(month), day >= 1 else { return false }
    let next = CivilTime(year: year, month: month + 1, day: 1).daysSinceEpoch
    return day <= next - CivilTime(year: year, month: month, day: 1).daysSinceEpoch
  }

  /// True for a date: `2026`, `2026-11` or `2026-11-20`.
  private static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.enumerated().allSatisfy { index, byte in
      index == 4 || index == 7 ? byte == UInt8(ascii: "-") : ASCII.isDigit(byte)
    }
  }

  /// True for a time with a zone: `08:15:00`, an optional fraction, and `Z` or `+01:00`.
  private static func isTime(_ bytes: ArraySlice<UInt8>) -> Bool {
    let text = String(streamSafe: bytes)
    guard isClock(String(text.prefix(8))), text.utf8.count > 8 else { return false }
    var rest = text.dropFirst(8).utf8
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard rest.first.map(ASCII.isDigit) == true else { return false }
      rest = rest.drop(while: ASCII.isDigit)
    }
    if rest.count == 1 { return rest.first.map { $0 | 0x20 } == UInt8(ascii: "z") }
    let zone = Array(rest)
    return zone.count == 6 && (zone[0] == UInt8(ascii: "+") || zone[0] == UInt8(ascii: "-"))
      && zone[3] == UInt8(ascii: ":")
      && isClock(String(streamSafe: zone[1...]))
  }

  /// True for a time on a 24-hour clock: `08:15` or `08:15:00`. Second 60 is a leap second.
  private static func isClock(_ text: String) -> Bool {
    let parts = text.split(ascii: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 || parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }) else { return false }
    let numbers = parts.compactMap(number)
    guard numbers.count == parts.count else { return false }
    return numbers[0] < 24 && numbers[1] < 60 && (numbers.count == 2 || numbers[2] <= 60)
  }

  private static func isZone(_ text: String) -> Bool {
    if ["UT", "GMT", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "Z"].contains(text) {
      return true
    }
    guard text.utf8.count == 5, text.hasPrefix("+") || text.hasPrefix("-"),
      let offset = number(String(text.dropFirst()))
    else { return false }
    return offset / 100 < 24 && offset % 100 < 60
  }

  /// Parses a text of at most 18 ASCII digits as a number.
  static func number(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.count <= 18, text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
    return Int(text)
  }

  /// True for a language tag (BCP 47) such as `en`, `pt-BR`, `x-klingon`; false for `english` and `en_US`.
  static func isLanguage(_ text: String) -> Bool {
    let parts = text.split(ascii: "-", omittingEmptySubsequences: false)
    guard let first = parts.first else { return false }
    let isPrimary =
      (2...3).contains(first.utf8.count) || parts.count > 1 && ["x", "i"].contains(first.lowercased())
    return isPrimary && first.utf8.allSatisfy(ASCII.isLetter)
      && parts.dropFirst().allSatisfy {
        (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) }
      }
  }

  /// True when the text contains an e-mail address, as RSS requires: `ann@example.org (Ann)`.
  static func containsMailAddress(_ text: String) -> Bool {
    let isLink = text.lowercased().hasPrefix("mailto:")
    let plain = isLink ? text.replacing("%40", with: "@").replacing("%20", with: " ") : text
    return plain.split { " ()<>,;\"\t\n\r".contains($0) }.contains { isMailAddress(String($0)) }
  }

  static func isMailAddress(_ text: String) -> Bool {
    let parts = text.split(ascii: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
      && !text.utf8.contains { $0 <= UInt8(ascii: " ") }
  }

  /// True for a media type such as `audio/mpeg`, with or without parameters (RFC 2045 section 5.1).
  static func isMediaType(_ text: String) -> Bool {
    let name = text.split(ascii: ";", omittingEmptySubsequences: false).first ?? ""
    let parts = name.split(ascii: "/", omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { part in
        let token = part.drop { $0 == " " }
        return !token.isEmpty
          && token.utf8.allSatisfy {
            ASCII.isLetter($0) || ASCII.isDigit($0) || "!#$&-^_.+ *".utf8.contains($0)
          }
      }
  }

  /// True for an absolute URL without characters that RFC 3987 excludes.
  static func isAbsoluteURL(_ text: String) -> Bool {
    guard let scheme = URLParts.scheme(of: text), isReference(text) else { return false }
    let rest = text.slice((scheme.utf8.count + 1)...)
    let needsHost = ["http", "https", "ftp"].contains(scheme)
    return needsHost ? rest.hasPrefix(bytesOf: "//") && rest.utf8.count > 2 : !rest.isEmpty
  }

  /// True for text without characters that must be escaped in an absolute or relative URL.
  static func isReference(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 > UInt8(ascii: " ") && $0 != 0x7F && !"<>\"\\^`{|}".utf8.contains($0) }
  }

  /// True for a relative URL, or an absolute URL that is complete for its scheme.
  static func isURL(_ text: String) -> Bool {
    guard isReference(text) else { return false }
    return !["http", "https", "ftp"].contains(URLParts.scheme(of: text)) || isAbsoluteURL(text)
  }

  /// True for a URL with a scheme that a browser opens as a page.
  static func isWebAddress(_ text: String) -> Bool {
    ["http", "https", "ftp", "gopher", "gemini"].contains(URLParts.scheme(of: text))
  }

  /// True for a number of seconds, or two or three fields separated by colons. Fields after the first must be below
  /// 60.
  static func isDuration(_ text: String) -> Bool {
    let parts = text.split(ascii: ":", omittingEmptySubsequences: false).map { number(String($0)) }
    return (1...3).contains(parts.count) && parts.allSatisfy { $0 != nil }
      && parts.dropFirst().allSatisfy { $0 ?? 60 < 60 }
  }

  /// True for a playback position: `12:05:35.3` or seconds, with an optional fraction (RFC 2326 section 3.6).
  static func isPlayTime(_ text: String) -> Bool {
    let parts = text.split(ascii: ".", omittingEmptySubsequences: false)
    return (1...2).contains(parts.count) && isDuration(String(parts[0]))
      && (parts.count == 1 || number(String(parts[1])) != nil)
  }

  /// True for Base64 (RFC 4648 section 4), with or without white space.
  static func isBase64(_ text: String) -> Bool {
    let digits = text.utf8.filter { $0 > UInt8(ascii: " ") }
    let body = digits.prefix { $0 != UInt8(ascii: "=") }
    return digits.count % 4 == 0 && digits.count - body.count <= 2
      && body.allSatisfy {
        ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/")
      } && digits.dropFirst(body.count).allSatisfy { $0 == UInt8(ascii: "=") }
  }

  static func isUUID(_ text: String) -> Bool {
    let parts = text.split(ascii: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && parts.allSatisfy { $0.utf8.allSatisfy { ASCII.hexValue($0) != nil } }
  }
}
