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
