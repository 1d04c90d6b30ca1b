import NewsToolbox
import NewsCore

/// Classes of media types in feed discovery: what the type of a link says about its target.
enum FeedType {
  /// A type that only feeds have.
  case feed
  /// A type of feeds and of other documents: XML, JSON.
  case generic
  /// A type that feeds never have.
  case other
  /// The link has no type.
  case unknown

  /// Classifies a type in lower case and without parameters.
  init(_ type: String) {
    switch type {
    case "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json",
      "application/rss", "application/atom", "application/rdf", "application/x-rss+xml",
      "application/x-atom+xml",
      "application/x.atom+xml", "application/x-rss", "application/x-atom", "application/cdf",
      "application/x-cdf",
      "application/x-netcdf", "application/rss+atom", "application/xml+rss", "application/xml+atom",
      "application/atom+rss", "application/rssxml", "text/rss", "text/atom", "text/rdf", "text/rss+xml",
      "text/atom+xml", "text/rdf+xml", "text/x-rss", "text/x-opml+rss", "x-application/rss+xml", "rss",
      "atom":
      self = .feed
    case "text/xml", "application/xml", "application/json", "text/json", "application/x-json", "":
      self = .generic
    default:
      self = .other
    }
  }

  /// Returns the type without parameters, in lower case.
  static func essence(_ type: String) -> String {
    let bare = type.prefix { $0 != ";" && $0 != "," }.lowercased()
    return String(bare.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }

  /// True for JSON and XML endpoints of programs, which are not feeds.
  static func isAPIEndpoint(_ url: String) -> Bool {
    ["wp-json", "oembed", "xmlrpc", "opensearch", "sitemap", "manifest", "wlwmanifest", "/api/"].contains {
      url.contains($0)
    }
  }

  static func isAboutComments(url: String, title: String?) -> Bool {
    let words = ["comment", "kommentar", "commentaire", "comentario", "commenti", "replies"]
    let title = title?.lowercased() ?? ""
    return words.contains { title.contains($0) } || url.lowercased().contains("comment")
  }

  /// True when the path or query looks like that of a feed: `/feed/`, `/index.xml`, `/news.rss`, `?format=atom`.
  static func looksLikeFeed(href: String) -> Bool {
    let lower = href.lowercased()
    if lower.hasPrefix("feed:") { return true }
    let path = lower.prefix { $0 != "?" && $0 != "#" }
    let segments = path.split(ascii: "/")
    if let last = segments.last {
      let names: Set<Substring> = [
        "feed", "feeds", "rss", "atom", "rdf", "rss2", "feed.json", "index.xml", "feed.xml", "rss.xml",
        "atom.xml", "feeds.xml", "rss.php", "feed.php", "rss.aspx", "rss.cfm", "backend.php",
      ]
      if names.contains(last) { return true }
      if [".rss", ".atom", ".rdf"].contains(where: { last.hasSuffix($0) }) { return true }
      if last.hasSuffix(".xml"), last.contains("rss") || last.contains("feed") || last.contains("atom") {
        return true
      }
    }
    if path.contains("/feeds/posts/") || path.contains("feeds.feedburner.com/") { return true }
    guard let mark = lower.firstIndex(of: "?") else { return false }
    let query = lower[lower.index(after: mark)...].prefix { $0 != "#" }
    return query.split(ascii: "&").contains { parameter in
      [
        "feed=rss", "feed=rss2", "feed=atom", "format=rss", "format=atom", "type=rss", "type=atom",
        "format=feed",
      ]
      .contains { parameter == $0 } || parameter.hasPrefix("feed=")
    }
  }

  /// True when the text of a link mentions a feed.
  static func mentionsFeed(_ text: String) -> Bool {
    guard text.utf8.count <= 60 else { return false }
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
    return words.contains { ["rss", "atom", "rdf", "rss2", "xml", "feed", "feeds", "jsonfeed"].contains($0) }
  }

  /// True for hosts to which links are not feeds: services that take a feed's address as a parameter,
  /// validators and social networks, among others.
  static func isSubscriptionService(_ url: String) -> Bool {
    let hosts = [
      "feedly.com", "newsblur.com", "inoreader.com", "theoldreader.com", "netvibes.com", "add.my.yahoo.com",
      "validator.w3.org", "feedvalidator.org", "wikipedia.org", "facebook.com", "twitter.com", "x.com",
    ]
    guard let host = WebAddress(url)?.host else { return false }
    return hosts.contains { host == $0 || host.hasSuffix("." + $0) }
  }
}
