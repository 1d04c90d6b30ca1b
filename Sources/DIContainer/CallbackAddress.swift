import NewsCore

/// The URL at which hubs reach this machine, and the listening address derived from it.
public enum CallbackAddress {
  /// Validates a callback URL. `listen` is the configured listening address; nil: it is derived from the URL.
  public static func problem(_ callback: String, listen: String?) -> String? {
    guard WebAddress(callback)?.isWeb == true else { return "'\(callback)' is not an http or https URL" }
    if callback.contains("?") || callback.contains("#") {
      return "'\(callback)' must not have a query or a fragment: a path component is added for each feed"
    }
    guard listen == nil, listening(for: callback) == nil else { return nil }
    return
      "an https URL needs websub.listen, because newsd does not speak TLS to hubs: run a reverse proxy, and set "
      + "websub.listen to the address to which it passes requests"
  }

  /// The listening address `ADDRESS:PORT` for an http URL: 127.0.0.1 for `localhost`, all IPv4 addresses of
  /// this machine for another host name. Nil for https, because a reverse proxy must terminate TLS.
  static func listening(for callback: String) -> String? {
    guard let address = WebAddress(callback), address.scheme == "http" else { return nil }
    let isNamed = !WebAddress.isShared(address.host)
    let host = isNamed ? "0.0.0.0" : address.host == "localhost" ? "127.0.0.1" : address.host
    return "\(host):\(address.effectivePort)"
  }
}
