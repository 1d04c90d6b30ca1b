import CPSL

/// Which hosts belong together: registrable domains by the public suffix list.
enum PublicSuffix {
  /// libpsl only reads a list after it is made.
  private struct List: @unchecked Sendable {
    let raw: OpaquePointer?
  }

  /// The newer of the distribution's file and the list libpsl was built with. Never freed.
  private static let list = List(raw: psl_latest(nil) ?? psl_builtin())

  /// `example.co.uk` for `www.example.co.uk`; nil for a public suffix itself, a single label or an address. The host
  /// is in lower case; international names in ASCII or UTF-8.
  static func registrableDomain(of host: String) -> String? {
    guard IPAddress(host) == nil else { return nil }
    let name = host.last == "." ? String(host.dropLast()) : host
    guard let list = list.raw, name.contains(".") else { return nil }
    // The result points into the name.
    return name.withCString { psl_registrable_domain(list, $0).map { String(cString: $0) } }
  }
}

extension RequestURL {
  /// The key of limits per site: the registrable domain, or host and port where there is none.
  var site: String {
    PublicSuffix.registrableDomain(of: host) ?? "\(host):\(port)"
  }
}
