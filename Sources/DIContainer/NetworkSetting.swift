import NewsNetwork
import NewsCore

/// Validates network settings, so that a value the adapter would ignore is reported instead.
public enum NetworkSetting {
  /// True for a CIDR block, an address, a host name, or `*.` followed by a domain.
  public static func isDestination(_ text: String) -> Bool { AllowedDestination(text) != nil }

  /// True for a proxy URL with the scheme `http`, `https`, `socks5h` or `socks5`. `http://` may be omitted.
  public static func isProxy(_ text: String) -> Bool {
    let schemes = ["http", "https", "socks5", "socks5h"]
    guard !text.contains(where: { $0.isWhitespace }),
      let address = WebAddress(text.contains("://") ? text : "http://" + text)
    else { return false }
    return schemes.contains(address.scheme) && !address.host.isEmpty
  }
}
