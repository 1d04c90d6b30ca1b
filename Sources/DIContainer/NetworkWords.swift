import NewsNetwork
import NewsCore

/// Validates network settings, so that a value the adapter would ignore is reported instead.
public enum NetworkWords {
  /// True for a block of addresses, an address, a host name, or `*.` and a domain.
  public static func isDestination(_ text: String) -> Bool { AllowedDestination(text) != nil }

  /// True for the URL of a proxy: `http`, `https`, `socks5h` or `socks5`; `http` may be left out.
  public static func isProxy(_ text: String) -> Bool {
    let schemes = ["http", "https", "socks5", "socks5h"]
    guard !text.contains(where: { $0.isWhitespace }),
      let address = WebAddress(text.contains("://") ? text : "http://" + text)
    else { return false }
    return schemes.contains(address.scheme) && !address.host.isEmpty
  }
}
