import NewsCore

/// The URL under which hubs reach this machine, and the address to listen on that follows from it.
public enum CallbackAddress {
  /// What is wrong with a callback URL; nil: nothing.
  ///
  /// - Parameters:
  ///   - callback: The URL.
  ///   - listen: The address to listen on; nil: it has to follow from the URL.
  /// - Returns: A sentence.
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

  /// `ADDRESS:PORT` that an http URL names; every address of this machine where it names a host. Nil for https, which
  /// something in front of newsd has to speak.
  static func listening(for callback: String) -> String? {
    guard let address = WebAddress(callback), address.scheme == "http" else { return nil }
    let isAddress =
      address.host.hasPrefix("[") || address.host.utf8.allSatisfy { $0 == 0x2E || (48...57).contains($0) }
    let host = isAddress ? address.host : address.host == "localhost" ? "127.0.0.1" : "0.0.0.0"
    return "\(host):\(address.effectivePort)"
  }
}
