public import NewsCore

/// Finds the feeds of an HTML page with newsd's own tokenizer, in linear time.
///
/// `link` elements take precedence; `a` elements are only hints and count when the page has no `link` to a
/// feed. Feeds of comments sort after others; of the hints, feeds of other sites sort last. Only `http` and
/// `https` links count; `feed://` is replaced by `http://`.
public struct FeedDiscovery: FeedDiscovering {
  /// Maximum bytes of a page that are searched, because links to feeds are near the start.
  public let maximumBytes: Int

  public init(maximumBytes: Int = 1 << 20) {
    self.maximumBytes = maximumBytes
  }

  public func feeds(inPage document: FeedDocument) -> [DiscoveredFeed] {
    let text = PageText(document, limit: maximumBytes)
    var sink = PageSink(base: document.baseURL, element: text.base)
    text.read(into: &sink)
    let links = sink.finish()
    if !links.feeds.isEmpty { return links.feeds }
    // A page on a custom domain may reveal a known site by its canonical address.
    guard let canonical = links.canonical, canonical != document.baseURL else { return [] }
    return KnownSites.feeds(forPage: canonical)
  }

  public func guesses(forPage url: String) -> [DiscoveredFeed] {
    let known = KnownSites.feeds(forPage: url)
    return DiscoveredFeed.distinct(known + WellKnownPaths.feeds(forPage: url))
  }
}

extension DiscoveredFeed {
  /// Removes feeds with the same address as an earlier feed.
  static func distinct(_ feeds: [DiscoveredFeed]) -> [DiscoveredFeed] {
    var seen = Set<String>()
    return feeds.filter { seen.insert(WebAddress.canonical($0.url)).inserted }
  }
}
