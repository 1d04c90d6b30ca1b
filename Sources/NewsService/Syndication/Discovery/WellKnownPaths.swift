import NewsCore
import NewsToolbox

/// Guesses feed addresses from the default paths of publishing systems.
enum WellKnownPaths {
  /// Returns two addresses in the page's section (`/blog/feed` for `/blog/`), then addresses for the whole
  /// site, and then the less usual ones in the section.
  static func feeds(forPage url: String) -> [DiscoveredFeed] {
    guard let address = WebAddress(url), address.isWeb else { return [] }
    var feeds: [DiscoveredFeed] = []
    func add(_ path: String, _ type: String?) {
      feeds.append(DiscoveredFeed(url: address.root + path, mimeType: type))
    }
    let segments = address.path.split(ascii: "/")
    if let section = segments.first, isSection(section, of: segments) {
      add("/\(section)/feed", nil)
      add("/\(section)/index.xml", nil)
    }
    add("/feed", nil)
    add("/rss.xml", "application/rss+xml")
    add("/feed.xml", nil)
    add("/atom.xml", "application/atom+xml")
    add("/index.xml", nil)
    add("/rss", "application/rss+xml")
    add("/feed.json", "application/feed+json")
    add("/feed/", nil)
    add("/feed.atom", "application/atom+xml")
    add("/feeds/all.atom.xml", "application/atom+xml")
    add("/index.rdf", "application/rdf+xml")
    add("/blog/feed", nil)
    add("/blog/rss.xml", "application/rss+xml")
    add("/blog/index.xml", nil)
    add("/blog/atom.xml", "application/atom+xml")
    add("/news/feed", nil)
    add("/?feed=rss2", "application/rss+xml")
    add("/feeds/posts/default", "application/atom+xml")
    if let section = segments.first, isSection(section, of: segments) {
      for name in ["rss.xml", "feed.xml", "atom.xml", "rss", "feed.json"] { add("/\(section)/\(name)", nil) }
    }
    return feeds
  }

  /// True for a first path segment such as `blog`, but not for a year, a file name or a user name (`@ann`).
  private static func isSection(_ name: Substring, of segments: [Substring]) -> Bool {
    guard segments.count <= 2, name.utf8.count <= 20, !name.contains("."), !name.hasPrefix("@")
    else {
      return false
    }
    return !name.utf8.allSatisfy(ASCII.isDigit)
  }
}
