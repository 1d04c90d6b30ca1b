/// Numbers for sites. Naming a site takes a public suffix list and a URL parser; feeds of one host share the answer.
struct SiteNumbers {
  private let site: @Sendable (String) -> String
  private var bySite: [String: Int32] = [:]
  private var byAuthority: [String: Int32] = [:]

  init(_ site: @escaping @Sendable (String) -> String) {
    self.site = site
  }

  /// How many sites there are so far; their numbers are below it.
  var count: Int { bySite.count }

  mutating func number(of url: String) -> Int32 {
    let authority = Self.authority(of: url)
    if let number = byAuthority[authority] { return number }
    let name = site(url)
    let number = bySite[name] ?? Int32(bySite.count)
    bySite[name] = number
    byAuthority[authority] = number
    return number
  }

  /// Scheme, user, host and port as written; a URL without a host is its own.
  private static func authority(of url: String) -> String {
    let bytes = url.utf8
    guard let colon = bytes.firstIndex(of: 0x3A), bytes[colon...].starts(with: "://".utf8) else { return url }
    let start = bytes.index(colon, offsetBy: 3)
    let end = bytes[start...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? bytes.endIndex
    return String(url[..<end])
  }
}
