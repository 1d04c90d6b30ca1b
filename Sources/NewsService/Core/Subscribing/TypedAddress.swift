import NewsToolbox
/// Turns a typed address into a URL.
public enum TypedAddress {
  /// Why a text is not the address of a feed.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    public let message: String
    public var description: String { message }
  }

  /// Maximum length of a feed's address in bytes. Servers rarely accept longer ones.
  public static let longest = 8 << 10

  /// Returns an absolute http, https or file URL, or `exec:` with a command. `example.org` gets `https://`;
  /// an IP literal or `localhost` gets `http://`; `@user@host` is the account's page. `feed:` and similar prefixes are removed. A path becomes a
  /// `file:` URL. The result has scheme and host in lower case, no default port, no fragment, and a path.
  /// `directory` is the base of relative paths (`./…`, `../…`); nil: relative paths are rejected.
  public static func url(_ text: String, directory: String? = nil) throws(Problem) -> String {
    let url = try unlimited(text, directory)
    guard url.utf8.count <= longest else {
      throw Problem(message: "the address of a feed must have at most \(longest) bytes")
    }
    return url
  }

  private static func unlimited(_ text: String, _ directory: String?) throws(Problem) -> String {
    let typed = trimmed(text)
    guard !typed.isEmpty else { throw Problem(message: "the address is empty") }
    if typed.hasPrefix(bytesOf: "//") { return try unlimited("https:" + typed, nil) }
    if let profile = profile(typed) { return try unlimited(profile, nil) }
    if typed.hasPrefix(bytesOf: "/") { return "file://" + escaped(typed) }
    if typed.lowercased().hasPrefix(bytesOf: "exec:") {
      return try command(typed[typed.utf8.index(typed.startIndex, offsetBy: 5)...])
    }
    if typed.hasPrefix(bytesOf: "./") || typed.hasPrefix(bytesOf: "../") {
      guard let directory else {
        throw Problem(message: "\(typed) is a relative path. Give the absolute path.")
      }
      return "file://" + escaped(directory + "/" + typed)
    }
    let absolute = try withScheme(typed)
    guard let address = WebAddress(absolute) else {
      throw Problem(message: "\(WebAddress.redacted(typed)) is not a URL: \(reason(absolute))")
    }
    switch address.scheme {
    case "http", "https": return try normalized(address, typed)
    case "file": return "file://" + escaped(address.rest)
    default:
      throw Problem(
        message:
          "\(address.scheme): is not supported. Feeds are fetched over http and https, or come from file: and exec:."
      )
    }
  }

  /// Returns the page of an account that is written as `@user@host`, as in the fediverse.
  private static func profile(_ typed: String) -> String? {
    guard typed.hasPrefix(bytesOf: "@"), let (user, host) = typed.dropFirst().cut(atFirst: "@"),
      !user.isEmpty,
      !typed.containsAny("/?#: ")
    else { return nil }
    return "https://\(host)/@\(user)"
  }

  private static func reason(_ url: String) -> String {
    guard let (_, rest) = url.cut(atFirst: ":"), let (user, _) = rest.cut(atLast: "@") else {
      return "it names no host, or its port is not a number up to 65535"
    }
    return user.trimmingPrefix { $0 == "/" }.containsAny("/?#@") || !user.utf8.allSatisfy { $0 < 0x80 }
      ? "its user name or password contains a character to percent-encode (all but letters, digits and -._~)"
      : "it names no host, or its port is not a number up to 65535"
  }

  /// Validates a command line. It is never passed to a shell.
  private static func command(_ line: Substring) throws(Problem) -> String {
    guard !String(line).hasControlCharacters else {
      throw Problem(message: "a command must not contain line breaks or other control characters")
    }
    do {
      _ = try CommandWords.split(String(line))
    } catch {
      throw Problem(message: "exec:\(line): \(error.message)")
    }
    return "exec:\(line)"
  }

  private static func withScheme(_ typed: String) throws(Problem) -> String {
    guard let (name, rest) = typed.cut(atFirst: ":") else { return "\(impliedScheme(typed))://\(typed)" }
    let scheme = name.lowercased()
    // `example.org:8080/feed` and `[::1]/feed` have no scheme.
    if URLParts.scheme(of: typed) == nil || rest.utf8.first.map(ASCII.isDigit) == true {
      return "\(impliedScheme(typed))://\(typed)"
    }
    switch scheme {
    case "feed", "rss", "pcast", "itpc":
      if rest.hasPrefix(bytesOf: "//") { return "http:\(rest)" }
      return try withScheme(String(rest))
    case "http", "https":
      // `https:/example.org` and `https:example.org` are typing errors: correct them.
      return rest.hasPrefix(bytesOf: "//")
        ? "\(scheme):\(rest)" : "\(scheme)://\(String(rest.utf8.drop { $0 == UInt8(ascii: "/") }) ?? "")"
    case "file":
      return "file:\(rest)"
    default:
      guard rest.hasPrefix(bytesOf: "//") || !scheme.contains(ascii: ".") else {
        return "\(impliedScheme(typed))://\(typed)"
      }
      throw Problem(
        message:
          "\(scheme): is not supported. Feeds are fetched over http and https, or come from file: and exec:."
      )
    }
  }

  /// Returns https, or http for IP literals and localhost, which rarely have a certificate.
  private static func impliedScheme(_ typed: String) -> String {
    let host = typed.prefix(upToAny: "/?#\\")
    let name = host.prefix(upToAny: ":").lowercased()
    return host.utf8.first == UInt8(ascii: "[") || WebAddress.isShared(name) ? "http" : "https"
  }

  private static func normalized(_ address: WebAddress, _ typed: String) throws(Problem) -> String {
    let host = address.host.lowercased()
    let isName =
      host.contains(ascii: ".") || host.utf8.first == UInt8(ascii: "[") || host == "localhost"
      || typed.contains(bytesOf: "://")
    guard isName, host.utf8.first != UInt8(ascii: "."),
      !host.unicodeScalars.contains(where: \.properties.isWhitespace)
    else {
      throw Problem(message: "\(WebAddress.redacted(typed)) is not a URL: '\(host)' is not a host name")
    }
    var address = address
    address.host = host
    if address.port == WebAddress.defaultPorts[address.scheme] { address.port = nil }
    address.rest = escaped(String(address.rest.prefix(upToAny: "#")))
    if !address.rest.hasPrefix(bytesOf: "/") { address.rest = "/" + address.rest }
    return address.text
  }

  private static func trimmed(_ text: String) -> String {
    var text = text.unicodeScalars[...]
    while let first = text.first, first.properties.isWhitespace { text.removeFirst() }
    while let last = text.last, last.properties.isWhitespace { text.removeLast() }
    if text.first == "<", text.last == ">" { text = text.dropFirst().dropLast() }
    return String(text)
  }

  /// Percent-encodes spaces and control characters.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.value <= 0x20 || (0x7F...0x9F).contains(scalar.value) {
        result += PercentCoding.encode(String(scalar)) { _ in false }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
