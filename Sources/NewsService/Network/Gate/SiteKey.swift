import CPSL
import NewsCore
import NewsToolbox

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

  /// Parses a URL of the most common form without libcurl's URL parser, and returns its host and port. The form is: a
  /// scheme, a lower-case ASCII host name or an IPv4 address, and an optional port. Returns nil for all other URLs.
  private static func plainAuthority(_ url: String) -> (host: String, port: Int)? {
    url.withBytes { bytes in
      let isSecure = bytes.starts(with: "https://".utf8)
      let parts = URLParts(bytes)
      guard isSecure || bytes.starts(with: "http://".utf8), parts.userInfo == nil,
        let host = parts.host.map({ bytes[$0] })
      else { return nil }
      let isPlain = host.allSatisfy {
        ASCII.isLowercase($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
      }
      guard isPlain, let last = host.last, last != UInt8(ascii: "."), isName(host) || isAddress(host) else {
        return nil
      }
      var port = isSecure ? 443 : 80
      if let digits = parts.port.map({ bytes[$0] }) {
        guard (1...5).contains(digits.count), digits.allSatisfy(ASCII.isDigit) else { return nil }
        port = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard port <= 65_535 else { return nil }
      }
      return (String(decoding: host, as: UTF8.self), port)
    }
  }

  /// Returns true if the last label begins with a letter: the host is then not a numeric address (`0x7f.1`,
  /// `2130706433`).
  private static func isName(_ host: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let label = host.lastIndex(of: UInt8(ascii: ".")).map { host.index(after: $0) } ?? host.startIndex
    return label < host.endIndex && ASCII.isLowercase(host[label])
  }

  /// Returns true for an IPv4 address: four decimal numbers without leading zeros.
  private static func isAddress(_ host: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let parts = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.count) && part.allSatisfy(ASCII.isDigit)
          && (part.count == 1 || part.first != UInt8(ascii: "0"))
          && part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } < 256
      }
  }
}

/// Groups hosts by registrable domain, using the public suffix list.
enum PublicSuffix {
  /// libpsl never changes a loaded list, so any thread may use it.
  private struct List: @unchecked Sendable {
    let raw: OpaquePointer?
  }

  /// The newer of the distribution's list and libpsl's built-in list. Never freed.
  private static let list = List(raw: newsd_psl_latest() ?? newsd_psl_builtin())

  /// Returns the registrable domain, such as `example.co.uk` for `www.example.co.uk`. Returns nil for a public suffix,
  /// a single label or an address. The host must be in lower case; international names may be in ASCII or UTF-8.
  static func registrableDomain(of host: String) -> String? {
    guard IPAddress(host) == nil else { return nil }
    let name = host.last == "." ? String(host.dropLast()) : host
    guard let list = list.raw, name.contains(".") else { return nil }
    // Copy the result inside the closure, because it points into the argument.
    return name.withCString { newsd_psl_registrable_domain(list, $0).map { String(cString: $0) } }
  }
}

extension RequestURL {
  /// The key of per-site limits: the registrable domain, or host and port if there is none.
  var site: String {
    PublicSuffix.registrableDomain(of: host) ?? "\(host):\(port)"
  }
}
