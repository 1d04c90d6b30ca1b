/// The URL that a person means by what was typed.
public enum TypedAddress {
  /// Why something typed is no address of a feed.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    public let message: String
    public var description: String { message }
  }

  /// An absolute http, https or file URL, or `exec:` with a command.
  ///
  /// `example.org` gets `https://`; an IP literal or `localhost` gets `http://`; `feed:` and its kin are taken off; a
  /// path becomes a `file:` URL; scheme and host come out in lower case, without the scheme's own port, without a
  /// fragment, and never without a path.
  ///
  /// - Parameters:
  ///   - text: What was typed.
  ///   - directory: What relative paths (`./…`, `../…`) are resolved against; nil: they are refused.
  /// - Returns: The URL.
  /// - Throws: `Problem`, whose message says what is wrong.
  public static func url(_ text: String, directory: String? = nil) throws(Problem) -> String {
    let typed = trimmed(text)
    guard !typed.isEmpty else { throw Problem(message: "The address is empty.") }
    if typed.hasPrefix("/") { return "file://" + escaped(typed) }
    if typed.lowercased().hasPrefix("exec:") { return try command(typed.dropFirst(5)) }
    if typed.hasPrefix("./") || typed.hasPrefix("../") {
      guard let directory else { throw Problem(message: "\(typed) is a relative path. Give the whole one.") }
      return "file://" + escaped(directory + "/" + typed)
    }
    let absolute = try withScheme(typed)
    guard let address = WebAddress(absolute) else {
      throw Problem(message: "\(WebAddress.redacted(typed)) is no URL: it names no host.")
    }
    switch address.scheme {
    case "http", "https": return try normalised(address, typed)
    case "file": return "file://" + escaped(address.rest)
    default:
      throw Problem(
        message:
          "\(address.scheme): is not supported. Feeds are fetched over http and https, or come from file: and exec:."
      )
    }
  }

  /// A command as it was typed; a shell will never see it.
  private static func command(_ line: Substring) throws(Problem) -> String {
    guard !line.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw Problem(message: "A command cannot hold line breaks and other control characters.")
    }
    do {
      _ = try CommandWords.split(String(line))
    } catch {
      throw Problem(message: "exec:\(line): \(error.message).")
    }
    return "exec:\(line)"
  }

  private static func withScheme(_ typed: String) throws(Problem) -> String {
    guard let colon = typed.firstIndex(of: ":") else { return "\(impliedScheme(typed))://\(typed)" }
    let scheme = typed[..<colon].lowercased()
    let rest = typed[typed.index(after: colon)...]
    // `example.org:8080/feed` has a port, no scheme; so has `[::1]/feed`.
    let isScheme =
      scheme.first?.isLetter == true && scheme.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
    if !isScheme || rest.first?.isNumber == true { return "\(impliedScheme(typed))://\(typed)" }
    switch scheme {
    case "feed", "rss", "pcast", "itpc":
      if rest.hasPrefix("//") { return "http:\(rest)" }
      return try withScheme(String(rest))
    case "http", "https":
      // `https:/example.org` and `https:example.org` are slips of the keyboard.
      return rest.hasPrefix("//") ? "\(scheme):\(rest)" : "\(scheme)://\(rest.drop { $0 == "/" })"
    case "file":
      return "file:\(rest)"
    default:
      guard rest.hasPrefix("//") || !scheme.contains(".") else { return "\(impliedScheme(typed))://\(typed)" }
      throw Problem(
        message:
          "\(scheme): is not supported. Feeds are fetched over http and https, or come from file: and exec:."
      )
    }
  }

  /// https, except for hosts that hardly have a certificate.
  private static func impliedScheme(_ typed: String) -> String {
    let host = typed.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let name = host.prefix { $0 != ":" }.lowercased()
    let isLiteral = host.hasPrefix("[") || name == "localhost" || name.allSatisfy { $0 == "." || $0.isNumber }
    return isLiteral ? "http" : "https"
  }

  private static func normalised(_ address: WebAddress, _ typed: String) throws(Problem) -> String {
    let host = address.host
    guard !host.contains(where: { $0 == " " || $0 == "\\" || $0.isNewline }), !host.hasPrefix("."),
      host.contains(".") || host.hasPrefix("[") || host == "localhost" || typed.contains("://")
    else { throw Problem(message: "\(typed) is no URL: '\(host)' is no host name.") }
    let isDefaultPort = address.port == (address.scheme == "http" ? 80 : 443)
    let port = address.port.flatMap { isDefaultPort ? nil : ":\($0)" } ?? ""
    let user = address.userInfo.map { "\($0)@" } ?? ""
    var rest = escaped(String(address.rest.prefix { $0 != "#" }))
    if !rest.hasPrefix("/") { rest = "/" + rest }
    return "\(address.scheme)://\(user)\(host)\(port)\(rest)"
  }

  private static func trimmed(_ text: String) -> String {
    var text = Substring(text)
    let isBlank = { (c: Character) in c.isWhitespace || c.isNewline }
    text = text.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    if text.hasPrefix("<"), text.hasSuffix(">") { text = text.dropFirst().dropLast() }
    return String(text)
  }

  /// Blanks and control characters percent-encoded, the rest as it is.
  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return text }
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if byte <= 0x20 || byte == 0x7F {
        bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
