import NewsCore
import NewsToolbox

extension WebRoute {
  /// True if a page of another site makes the request and may not make it. Such a page may lead its visitor to newsd,
  /// and may read the answers of APIs that its browser lets it read, but may not make requests in the background: a browser
  /// sends the session's cookie to other ports and subdomains of newsd's site, too.
  public func refusesOrigin(of request: HTTPRequest) -> Bool {
    guard request.method != .options, request.isForeign else { return false }
    if [.get, .head].contains(request.method) {
      let mode = request.fields.first("Sec-Fetch-Mode")
      let isFetch = mode == "cors" || mode == nil && request.fields.first("Origin") != nil
      guard mode == "no-cors" || isFetch && foreign == .refused && !servesWebClients else { return false }
    }
    switch foreign {
    case .refused: return true
    case .withToken: return !request.hasToken(in: tokenField)
    case .accepted: return false
    }
  }

  /// True if a browser wants to load a part of a page, such as a picture, from a route that has none. An item's markup
  /// can make a browser load any address, with its cookies and passwords.
  ///
  /// Browsers send `Sec-Fetch-Dest` only to sites that they consider secure. Without it, the field `Accept` of pictures
  /// and sound tells.
  public func refusesPart(_ request: HTTPRequest) -> Bool {
    guard !servesParts else { return false }
    let destinations = request.fields.all("Sec-Fetch-Dest")
    if !destinations.isEmpty { return !destinations.allSatisfy { $0 == "document" || $0 == "empty" } }
    let accepted = request.fields.first("Accept") ?? ""
    return ["image/", "video/", "audio/"].contains { accepted.hasPrefix(bytesOf: $0) }
  }
}

extension HTTPRequest {
  /// True if the request has a credential that browsers never add by themselves: in this field, or as Authorization.
  fileprivate func hasToken(in field: String?) -> Bool {
    if let token = field.flatMap({ fields.first($0) }), !token.isEmpty { return true }
    guard let scheme = fields.first("Authorization")?.trimmingBlanks.cut(atFirst: " ")?.before else {
      return false
    }
    return scheme.isEqual(ignoringASCIICase: "bearer") || scheme.isEqual(ignoringASCIICase: "googlelogin")
  }

  /// The address that wrong credentials count for; nil if a page of another site sends them, so that it
  /// cannot get its visitor's address banned.
  public var countedAddress: String? { isForeign ? nil : address }

  /// True if the browser reports that a page of another site made the request. Browsers send `Sec-Fetch-Site` only to
  /// sites that they consider secure, and `Origin` with every POST.
  public var isForeign: Bool {
    for site in fields.all("Sec-Fetch-Site") where site != "same-origin" && site != "none" { return true }
    // Compare hosts only: behind a proxy without `web.url`, newsd does not know the scheme.
    let own = WebSite.splitPort(site.host, defaults: ["443", "80"])
    return fields.all("Origin").contains { origin in
      for (scheme, port) in [("https://", "443"), ("http://", "80")] where origin.hasPrefix(bytesOf: scheme) {
        let other = WebSite.splitPort(String(origin.slice(scheme.utf8.count...)), defaults: [port])
        return other.port != own.port || !other.name.isEqual(ignoringASCIICase: own.name)
      }
      return true
    }
  }
}

extension WebSite {
  /// Splits a host from its port. A default port counts as no port. Of two ports, the first one stays with the name,
  /// which then equals no host.
  fileprivate static func splitPort(_ host: String, defaults: [String]) -> (name: String, port: String?) {
    guard let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")), !host.hasSuffix(bytesOf: "]") else {
      return (host, nil)
    }
    let port = String(host[host.utf8.index(after: colon)...])
    return (String(host[..<colon]), defaults.contains(port) ? nil : port)
  }
}
