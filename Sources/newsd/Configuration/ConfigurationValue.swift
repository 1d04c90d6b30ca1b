import DIContainer
import NewsCore
import NewsToolbox

/// Parses the values of settings. Each function throws a message that names the accepted forms.
enum ConfigurationValue {
  struct Problem: Error {
    var message: String
  }

  static func string(_ text: String) throws(Problem) -> String {
    guard !text.isEmpty else { throw Problem(message: "must not be empty") }
    return text
  }

  /// Accepts text that can be sent in a request.
  static func line(_ text: String) throws(Problem) -> String {
    guard FeedSettings.isSendable(text) else { throw Problem(message: "must not contain control characters") }
    return try string(text)
  }

  /// Returns a valid text. Otherwise, throws a problem that names the accepted forms.
  private static func checked(
    _ text: String,
    _ isValid: (String) -> Bool,
    takes forms: String
  ) throws(Problem) -> String {
    guard isValid(text) else { throw Problem(message: "takes \(forms), not '\(text)'") }
    return text
  }

  static func destination(_ text: String) throws(Problem) -> String {
    let forms = "networks (10.0.0.0/8), addresses and host names (wiki.example, *.corp.example)"
    return try checked(text, NetworkSetting.isDestination, takes: forms)
  }

  static func proxy(_ text: String) throws(Problem) -> String {
    let forms = "http://HOST:PORT, https://HOST:PORT or socks5h://HOST:PORT"
    return try checked(text, NetworkSetting.isProxy, takes: forms)
  }

  static func encoding(_ text: String) throws(Problem) -> String {
    try checked(text, EncodingSetting.isEncoding, takes: "the name of an encoding (windows-1251, shift_jis)")
  }

  /// Accepts the text between the names of folders.
  static func separator(_ text: String) throws(Problem) -> String {
    guard (1...16).contains(text.utf8.count),
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { throw Problem(message: "takes 1 to 16 bytes without control characters") }
    return text
  }

  /// Accepts a value of `web.listen`: an address with its port, a Unix socket or `systemd`.
  static func listener(_ text: String) throws(Problem) -> String {
    try checked(text, WebWords.isListener, takes: "ADDRESS:PORT (127.0.0.1:8788), unix:/PATH or systemd")
  }

  static func site(_ text: String) throws(Problem) -> WebSite {
    guard let site = WebWords.site(text) else {
      throw Problem(message: "takes a URL such as https://example.org/news/, not '\(text)'")
    }
    return site
  }

  /// Accepts the path of a list of the page.
  static func listPath(_ text: String) throws(Problem) -> String {
    try checked(text, WebWords.isList, takes: "a list of the page (/unread, /starred, /all, /folder/NAME)")
  }

  /// Accepts the name of a time zone. Which names there are depends on the browser.
  static func zone(_ text: String) throws(Problem) -> String {
    try checked(text, PageChoices.isZone, takes: "the name of a time zone (Europe/Berlin)")
  }

  static func issuer(_ text: String) throws(Problem) -> String {
    try checked(
      text,
      ProviderSettings.isIssuer,
      takes: "https://HOST/PATH, or http:// with a loopback address"
    )
  }

  /// Accepts the name of a header field that a reverse proxy sets. Browsers and other proxies send some fields themselves.
  static func fieldName(_ text: String) throws(Problem) -> String {
    let others = ["authorization", "cookie", "host", "origin", "referer", "user-agent", "x-forwarded-for"]
    let isName = { (text: String) in
      !text.isEmpty && text.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "-_".utf8.contains($0) }
        && !others.contains(text.lowercased())
    }
    return try checked(text, isName, takes: "the name of a header field (Remote-User)")
  }

  static func network(_ text: String) throws(Problem) -> String {
    try checked(text, WebWords.isNetwork, takes: "addresses and networks (10.0.0.0/8)")
  }

  /// Accepts a name that Basic credentials can carry.
  static func accountName(_ text: String) throws(Problem) -> String {
    guard AccountName.isValid(text) else { throw Problem(message: AccountName.rule) }
    return text
  }

  /// Parses one of the words of an enumeration.
  static func word<Word: RawRepresentable<String> & CaseIterable>(_ text: String) throws(Problem) -> Word {
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem(message: "takes one of \(words), not '\(text)'")
    }
    return word
  }

  static func boolean(_ text: String) throws(Problem) -> Bool {
    switch text.lowercased() {
    case "true", "yes", "on", "1": return true
    case "false", "no", "off", "0": return false
    default: throw Problem(message: "takes true or false, not '\(text)'")
    }
  }

  static func integer(_ text: String, _ range: ClosedRange<Int>) throws(Problem) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw Problem(
        message: "takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'"
      )
    }
    return number
  }

  /// Parses a duration such as `500ms`, `30s`, `15m`, `12h` or `7d` to milliseconds.
  static func milliseconds(_ text: String, _ range: ClosedRange<Int>) throws(Problem) -> Int {
    let units = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)]
    for (suffix, factor) in units where text.hasSuffix(suffix) {
      guard let number = Int(text.dropLast(suffix.count)), number >= 0 else { continue }
      let (value, overflow) = number.multipliedReportingOverflow(by: factor)
      guard !overflow, range.contains(value) else {
        throw Problem(
          message: "is out of bounds: from \(show(range.lowerBound)) to \(show(range.upperBound))"
        )
      }
      return value
    }
    throw Problem(message: "takes a duration such as 30s, 15m, 12h or 7d, not '\(text)'")
  }

  /// Parses a duration like `milliseconds`, but returns whole seconds.
  static func seconds(_ text: String, _ range: ClosedRange<Int>) throws(Problem) -> Int64 {
    Int64(try milliseconds(text, range.lowerBound * 1000...range.upperBound * 1000) / 1000)
  }

  /// Parses a size such as `4096`, `512KiB`, `20MiB` or `1GiB` to bytes.
  static func bytes(_ text: String, _ range: ClosedRange<Int>) throws(Problem) -> Int {
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("", 1)]
    for (suffix, factor) in units where text.hasSuffix(suffix) {
      guard let number = Int(text.dropLast(suffix.count)), number >= 0 else { continue }
      let (value, overflow) = number.multipliedReportingOverflow(by: factor)
      guard !overflow, range.contains(value) else {
        throw Problem(message: "is out of bounds: from \(range.lowerBound) to \(range.upperBound) bytes")
      }
      return value
    }
    throw Problem(message: "takes a size such as 512KiB or 20MiB, not '\(text)'")
  }

  /// Returns a duration with the largest unit that divides it.
  private static func show(_ milliseconds: Int) -> String {
    var value = milliseconds
    var unit = "ms"
    for (larger, factor) in [("s", 1000), ("m", 60), ("h", 60), ("d", 24)] {
      guard value > 0, value.isMultiple(of: factor) else { break }
      value /= factor
      unit = larger
    }
    return "\(value)\(unit)"
  }
}
