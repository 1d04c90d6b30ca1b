import NewsToolbox

/// Names of formats and versions, as newsd prints them.
enum FeedFormat {
  static func rss(version: String?) -> String {
    guard let version else { return "rss" }
    let digits = version.filter { $0.isASCII && $0.isNumber }
    switch digits {
    case "": return "rss"
    case "090", "09": return "rss090"
    case "091", "91": return "rss091"
    case "092", "92": return "rss092"
    case "093", "93": return "rss093"
    case "094", "94": return "rss094"
    case "10", "1", "100": return "rss10"
    case "11": return "rss11"
    default: return digits.hasPrefix("2") ? "rss20" : "rss"
    }
  }

  /// Returns the version for a namespace of RSS 1.x or 0.90; nil for other namespaces.
  static func rdf(uri: UnsafeBufferPointer<UInt8>) -> String? {
    guard let slashes = ByteText.firstIndex(of: UInt8(ascii: "/"), in: uri), slashes + 2 < uri.count else {
      return nil
    }
    let name = UnsafeBufferPointer(rebasing: uri[(slashes + 2)...])
    if ByteText.hasPrefix(name, "purl.org/rss/1.0/modules") { return nil }
    if ByteText.hasPrefix(name, "purl.org/rss/1.0") { return "rss10" }
    if ByteText.hasPrefix(name, "purl.org/net/rss1.1") { return "rss11" }
    let isOldest =
      ByteText.hasPrefix(name, "my.netscape.com/rdf/simple/0.9")
      || ByteText.hasPrefix(name, "channel.netscape.com/rdf/simple/0.9")
    return isOldest ? "rss090" : nil
  }

  static func atom(uri: UnsafeBufferPointer<UInt8>?, version: String?) -> String {
    let text = uri.map { String(streamSafe: $0).lowercased() } ?? ""
    if text.contains("w3.org/2005/atom") { return "atom10" }
    switch version {
    case "0.1": return "atom01"
    case "0.2": return "atom02"
    case "0.3": return "atom03"
    case "1.0": return "atom10"
    default: return text.contains("purl.org/atom/ns") ? "atom03" : "atom"
    }
  }

  static func isRSS(_ format: String) -> Bool {
    format.hasPrefix("rss") || format == "rdf" || format == "cdf"
  }
}
