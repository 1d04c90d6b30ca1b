import NewsToolbox

/// Assigns numbers to sites. Finding a URL's site needs a public suffix list and a URL parser, so the result is cached
/// per host.
///
/// Names are kept as 64-bit fingerprints: the names of 100,000 hosts would take most of the daemon's memory. In the
/// very unlikely case of a collision two sites share their limits.
struct SiteNumbers {
  private let site: @Sendable (String) -> String
  private var bySite: [UInt64: Int32] = [:]
  private var byAuthority: [UInt64: Int32] = [:]

  init(_ site: @escaping @Sendable (String) -> String) {
    self.site = site
  }

  /// The number of sites so far; site numbers are below it.
  var count: Int { bySite.count }

  mutating func number(of url: String) -> Int32 {
    let authority = Self.authority(of: url)
    if let number = byAuthority[authority] { return number }
    let name = Self.fingerprint(site(url))
    let number = bySite[name] ?? Int32(bySite.count)
    bySite[name] = number
    byAuthority[authority] = number
    return number
  }

  private static func fingerprint(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { BodyHash.of(UnsafeRawBufferPointer($0)) }
  }

  /// Returns a fingerprint of scheme, user, host and port as written; of the whole URL if it has no host.
  private static func authority(of url: String) -> UInt64 {
    url.withBytes { bytes in
      let end = URLParts(bytes).authority?.upperBound ?? bytes.endIndex
      return BodyHash.of(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<end]))
    }
  }
}
