/// What limits per site count by, for whoever plans requests before they are made.
public enum SiteKey {
  /// The registrable domain of the URL's host, or host and port where there is none; the URL itself when it cannot be
  /// read.
  public static func of(_ url: String) -> String {
    if let (host, port) = plainAuthority(url) {
      return PublicSuffix.registrableDomain(of: host) ?? "\(host):\(port)"
    }
    return (try? RequestURL(url))?.site ?? url
  }

  /// Host and port of the URLs that most feeds have, which need no URL parser: a scheme and a host name or an IPv4 address
  /// in lower case and plain ASCII, perhaps a port. Nil for all others.
  private static func plainAuthority(_ url: String) -> (host: String, port: Int)? {
    var url = url
    return url.withUTF8 { bytes in
      let isSecure = bytes.starts(with: "https://".utf8)
      guard isSecure || bytes.starts(with: "http://".utf8) else { return nil }
      let start = isSecure ? 8 : 7
      let end = bytes[start...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? bytes.endIndex
      let hostEnd = bytes[start..<end].firstIndex(of: 0x3A) ?? end
      let host = bytes[start..<hostEnd]
      let isPlain = host.allSatisfy { (0x61...0x7A).contains($0) || isDigit($0) || $0 == 0x2D || $0 == 0x2E }
      guard isPlain, let last = host.last, last != 0x2E, isName(host) || isAddress(host) else { return nil }
      var port = isSecure ? 443 : 80
      if hostEnd < end {
        let digits = bytes[(hostEnd + 1)..<end]
        guard (1...5).contains(digits.count), digits.allSatisfy(isDigit) else { return nil }
        port = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard port <= 65_535 else { return nil }
      }
      return (String(decoding: host, as: UTF8.self), port)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// A host whose last label begins with a letter cannot be a number in disguise (`0x7f.1`, `2130706433`).
  private static func isName(_ host: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let label = host.lastIndex(of: 0x2E).map { host.index(after: $0) } ?? host.startIndex
    return label < host.endIndex && (0x61...0x7A).contains(host[label])
  }

  /// Four decimal numbers without leading zeros.
  private static func isAddress(_ host: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let parts = host.split(separator: 0x2E, omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.count) && part.allSatisfy(isDigit) && (part.count == 1 || part.first != 0x30)
          && part.reduce(0) { $0 * 10 + Int($1 - 0x30) } < 256
      }
  }
}
