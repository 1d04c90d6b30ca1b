/// Numbers for sites. Naming a site takes a public suffix list and a URL parser; feeds of one host share the answer.
///
/// Names are kept as 64-bit fingerprints: with a hundred thousand hosts they would be the most of what the daemon holds,
/// and two that agree by chance, once in billions of years, would merely share a budget.
struct SiteNumbers {
  private let site: @Sendable (String) -> String
  private var bySite: [UInt64: Int32] = [:]
  private var byAuthority: [UInt64: Int32] = [:]

  init(_ site: @escaping @Sendable (String) -> String) {
    self.site = site
  }

  /// How many sites there are so far; their numbers are below it.
  var count: Int { bySite.count }

  mutating func reserve(_ count: Int) {
    bySite.reserveCapacity(count)
    byAuthority.reserveCapacity(count)
  }

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

  /// Of scheme, user, host and port as written; a URL without a host is its own.
  private static func authority(of url: String) -> UInt64 {
    var url = url
    return url.withUTF8 { bytes in
      var end = bytes.endIndex
      if let colon = bytes.firstIndex(of: 0x3A), bytes[colon...].starts(with: "://".utf8) {
        end = bytes[(colon + 3)...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? end
      }
      return BodyHash.of(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<end]))
    }
  }
}
