/// What a list gives as the address of a feed.
enum ListAddress {
  case web(String)
  case refused(String)

  init(_ text: String) {
    var address = Substring(text)
    while let first = address.unicodeScalars.first, first.value <= 0x20 { address = address.dropFirst() }
    if address.lowercased().hasPrefix("feed:") {
      let rest = address.dropFirst(5)
      address = rest.hasPrefix("//") ? "http:" + rest : rest
    }
    guard let first = address.utf8.first else {
      self = .refused("has no address")
      return
    }
    if first == 0x7C {
      self = .refused("runs a command")
      return
    }
    if first == 0x2F || first == 0x2E || first == 0x7E {
      self = .refused("is a file; add it by hand if it is meant")
      return
    }
    let scheme = URLComparison.scheme(of: String(address))
    switch scheme {
    case "http", "https":
      if let url = Self.resolved(String(address)) {
        self = .web(url)
      } else {
        self = .refused("is no usable address")
      }
    case "exec", "filter": self = .refused("runs a command")
    case "query": self = .refused("is a saved query")
    case "file": self = .refused("is a file; add it by hand if it is meant")
    case nil where Self.looksLikeHost(address):
      if let url = Self.resolved("https://" + address) {
        self = .web(url)
      } else {
        self = .refused("is no usable address")
      }
    case nil: self = .refused("is no address")
    case let scheme?: self = .refused("has the scheme \(scheme.prefix(20)):, which newsd does not fetch")
    }
  }

  /// Nil for no address, and for one with characters that no list in XML can hold (XML 1.0, 2.2), nor any address (RFC
  /// 3987, 2.2): what is imported could not be exported.
  static func resolved(_ address: String, base: String? = nil) -> String? {
    guard let url = URLResolver.resolve(address, base: base, policy: .resource),
      !url.unicodeScalars.contains(where: { $0.value == 0xFFFE || $0.value == 0xFFFF })
    else { return nil }
    return url
  }

  /// `example.org/feed`: a name with a dot, then perhaps a path.
  private static func looksLikeHost(_ address: Substring) -> Bool {
    let host = address.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return host.contains(".") && !host.contains { $0.isWhitespace }
  }
}
