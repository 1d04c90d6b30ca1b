/// The key of per-site limits, for code that schedules requests.
public enum SiteKey {
  /// Returns the registrable domain of the URL's host, or host and port if there is none. Returns the URL itself if it
  /// is invalid.
  public static func of(_ url: String) -> String {
    if let (host, port) = plainAuthority(url) {
      return PublicSuffix.registrableDomain(of: host) ?? "\(host):\(port)"
    }
    return (try? RequestURL(url))?.site ?? url
  }

  /// Returns host and port of a URL in the usual form without invoking the URL parser: a scheme, a lower-case ASCII
  /// host name or an IPv4 address, and an optional port. Nil for all other URLs.
  private static func plainAuthority(_ url: String) -> (host: String, port: Int)? {
    var url = url
    return url.withUTF8 { bytes in
      let isSecure = bytes.starts(with: "https://".utf8)
      guard isSecure || bytes.starts(with: "http://".utf8) else { return nil }
      let start = isSecure ? 8 : 7
      let end =
        bytes[start...].firstIndex {
          $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
        } ?? bytes.endIndex
      let hostEnd = bytes[start..<end].firstIndex(of: UInt8(ascii: ":")) ?? end
      let host = bytes[start..<hostEnd]
      let isPlain = host.allSatisfy {
        isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
      }
      guard isPlain, let last = host.last, last != UInt8(ascii: "."), isName(host) || isAddress(host) else {
        return nil
      }
      var port = isSecure ? 443 : 80
      if hostEnd < end {
        let digits = bytes[(hostEnd + 1)..<end]
        guard (1...5).contains(digits.count), digits.allSatisfy(isDigit) else { return nil }
        port = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard port <= 65_535 else { return nil }
      }
      return (String(decoding: host, as: UTF8.self), port)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  /// Returns true if the last label begins with a letter: the host is then not a numeric address (`0x7f.1`,
  /// `2130706433`).
  private static func isName(_ host: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let label = host.lastIndex(of: UInt8(ascii: ".")).map { host.index(after: $0) } ?? host.startIndex
    return label < host.endIndex && isLetter(host[label])
  }

  /// Returns true for four decimal numbers without leading zeros.
  private static func isAddress(_ host: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let parts = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.count) && part.allSatisfy(isDigit)
          && (part.count == 1 || part.first != UInt8(ascii: "0"))
          && part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } < 256
      }
  }
}
