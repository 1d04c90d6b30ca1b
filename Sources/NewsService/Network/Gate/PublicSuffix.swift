import NewsCore
import CPSL

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
