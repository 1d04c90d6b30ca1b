import NewsCore
import NewsToolbox

/// An article's URL reduced to the parts that identify the article: without scheme, `www.`, mobile and AMP
/// variants, redirectors, tracking parameters and fragments (except `#!…`, which selects a page).
///
/// Use it for comparison only: it has no scheme, and the server may not know this form.
public enum CanonicalURL {
  /// Returns the key `host/path?query`; nil unless the text is an http or https URL with a host.
  public static func key(of url: String) -> String? {
    guard var parts = PageAddress(url) else { return nil }
    // The target may be a redirector too.
    for _ in 0..<4 {
      guard let target = Redirectors.target(of: parts), let inner = PageAddress(target) else { break }
      parts = inner
    }
    parts.reduceHost()
    parts.reducePath()
    parts.reduceQuery()
    return parts.text
  }

  /// True for a key that names a whole site (`example.org`), not an article.
  public static func isSite(_ key: String) -> Bool {
    !key.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
  }
}

/// Redirectors whose URL contains the target URL.
enum Redirectors {
  /// Returns the URL to which a redirector leads; nil: `address` is not of a known redirector.
  static func target(of address: PageAddress) -> String? {
    let host =
      address.host.hasPrefix(bytesOf: "www.")
      ? String(address.host.utf8.dropFirst(4)) ?? address.host : address.host
    if host.hasSuffix(bytesOf: ".cdn.ampproject.org") {
      return afterMarker(address, ["/c/s/", "/v/s/", "/i/s/", "/c/", "/v/"])
    }
    if host == "google.com" || host.hasPrefix(bytesOf: "google.") || host.hasPrefix(bytesOf: "news.google.") {
      if address.path.hasPrefix(bytesOf: "/amp/") { return afterMarker(address, ["/amp/s/", "/amp/"]) }
      guard address.path == "/url" else { return nil }
      return absolute(address.value("url") ?? address.value("q"))
    }
    if let (path, parameter) = known[host], path.isEmpty || address.path.hasPrefix(path) {
      return absolute(address.value(parameter))
    }
    for (prefix, skipped) in wrappers where host == prefix.host && address.path.hasPrefix(prefix.path) {
      let segments = address.path.dropFirst(prefix.path.count).split(
        separator: "/",
        omittingEmptySubsequences: true
      )
      .dropFirst(skipped)
      return segments.isEmpty ? nil : "https://" + segments.joined(separator: "/")
    }
    return nil
  }

  private static let known: [String: (path: String, parameter: String)] = [
    "l.facebook.com": ("/l.php", "u"), "lm.facebook.com": ("/l.php", "u"), "l.instagram.com": ("", "u"),
    "t.umblr.com": ("/redirect", "z"), "out.reddit.com": ("", "url"), "youtube.com": ("/redirect", "q"),
    "slack-redir.net": ("/link", "url"), "exit.sc": ("", "url"), "steamcommunity.com": ("/linkfilter", "url"),
    "duckduckgo.com": ("/l/", "uddg"), "bing.com": ("/news/apiclick.aspx", "url"),
    "vk.com": ("/away.php", "to"),
    "linkedin.com": ("/redir/redirect", "url"), "disq.us": ("/url", "url"),
    "getpocket.com": ("/redirect", "url"),
    "feedly.com": ("/i/external", "url"), "msn.com": ("/redirect", "url"),
  ]
  /// Podcast counters append the target's address to their own path. `skipped` is the number of segments between the
  /// prefix and that address.
  private static let wrappers: [(prefix: (host: String, path: String), skipped: Int)] = [
    (("dts.podtrac.com", "/redirect.mp3/"), 0), (("podtrac.com", "/pts/redirect.mp3/"), 0),
    (("pdst.fm", "/e/"), 0),
    (("chrt.fm", "/track/"), 1), (("op3.dev", "/e/"), 0),
  ]

  private static func absolute(_ value: String?) -> String? {
    value.flatMap { WebAddress.isWeb($0) ? $0 : nil }
  }

  private static func afterMarker(_ address: PageAddress, _ markers: [String]) -> String? {
    for marker in markers where address.path.hasPrefix(marker) {
      var inner = address
      inner.host = ""
      inner.path = String(address.path.dropFirst(marker.count))
      return "https://" + inner.text
    }
    return nil
  }
}
