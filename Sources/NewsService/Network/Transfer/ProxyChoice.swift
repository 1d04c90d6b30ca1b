import NewsCore

/// Chooses the proxy of a request. newsd does this instead of libcurl, because the address guard must know whether a
/// proxy is used: libcurl then reports only the proxy's address.
struct ProxyChoice {
  private let fixed: String?
  private let environment: [String: String]

  /// `own` is the feed's own proxy; an empty string disables proxies.
  init(configuration: NetworkConfiguration, own: String?) {
    fixed = own ?? configuration.proxy
    environment = configuration.environment
  }

  /// Returns the proxy's URL; nil for a direct connection.
  func proxy(for target: RequestURL) -> String? {
    if let fixed { return fixed.isEmpty ? nil : fixed }
    // Ignore `HTTP_PROXY`: in CGI, a web server sets it from a request's `Proxy` field.
    let names =
      target.scheme == "https"
      ? ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] : ["http_proxy", "all_proxy", "ALL_PROXY"]
    guard let proxy = names.lazy.compactMap({ environment[$0] }).first(where: { !$0.isEmpty }) else {
      return nil
    }
    let exceptions = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
    return isExcepted(target, exceptions) ? nil : proxy
  }

  private func isExcepted(_ target: RequestURL, _ exceptions: String) -> Bool {
    let address = IPAddress(target.host)
    return exceptions.lowercased().split(whereSeparator: { $0 == "," || $0 == " " }).contains { entry in
      if entry == "*" { return true }
      if let address { return IPNetwork(entry)?.contains(address) ?? false }
      let name = entry.first == "." ? entry.dropFirst() : entry
      return !name.isEmpty && (target.host == name || target.host.hasSuffix("." + name))
    }
  }
}
