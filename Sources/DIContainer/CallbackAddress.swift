import NewsCore

/// The URL at which hubs reach this machine, and the listening address derived from it.
public enum CallbackAddress {
  /// Validates a callback URL.
  ///
  /// - Parameters:
  ///   - callback: The URL.
  ///   - listen: The configured listening address; nil: it is derived from the URL.
  /// - Returns: A description of the problem; nil if the URL is valid.
  public static func problem(_ callback: String, listen: String?) -> String? {
    guard let address = WebAddress(callback), ["http", "https"].contains(address.scheme),
      !address.host.isEmpty
    else { return "'\(callback)' is no http or https URL" }
    if callback.contains("?") || callback.contains("#") {
      return "'\(callback)' must not have a query or a fragment: a path component is added for each feed"
    }
    guard listen == nil, listening(for: callback) == nil else { return nil }
    return
      "newsd does not speak TLS to hubs: put a reverse proxy in front, and set websub.listen to the address that "
      + "it passes requests on to"
  }

  /// The listening address `ADDRESS:PORT` for an http URL; all addresses of this machine if the URL has a host
  /// name. Nil for https, because a reverse proxy must terminate TLS.
  static func listening(for callback: String) -> String? {
    guard let address = WebAddress(callback), address.scheme == "http" else { return nil }
    let isAddress =
      address.host.hasPrefix("[") || address.host.utf8.allSatisfy { $0 == 0x2E || (48...57).contains($0) }
    let host = isAddress ? address.host : address.host == "localhost" ? "127.0.0.1" : "0.0.0.0"
    return "\(host):\(address.effectivePort)"
  }
}
