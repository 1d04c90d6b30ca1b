public import NewsCore
import NewsToolbox

/// Finds the feeds of an HTML page with newsd's own tokenizer, in time linear in the page.
///
/// `link` elements count first; only a page without any has its `a` elements looked at, because those are hints. A feed
/// of comments comes after the others. Links lead to `http` and `https` only; `feed:` is taken for them.
public struct FeedDiscovery: FeedDiscovering {
  /// Bytes of a page that are looked at: links to feeds stand near the beginning.
  public let maximumBytes: Int

  public init(maximumBytes: Int = 1 << 20) {
    self.maximumBytes = maximumBytes
  }

  public func feeds(inPage document: FeedDocument) -> [DiscoveredFeed] {
    let text = PageText(document, limit: maximumBytes)
    // The first base counts for the whole page, also for links before it (HTML standard, section 4.2.3).
    var finder = BaseSink()
    text.withBytes { bytes in
      var tokenizer = HTMLTokenizer()
      tokenizer.run(bytes, into: &finder)
    }
    var sink = PageSink(base: document.baseURL, element: finder.href)
    text.withBytes { bytes in
      var tokenizer = HTMLTokenizer()
      tokenizer.run(bytes, into: &sink)
    }
    let links = sink.finish()
    if !links.feeds.isEmpty { return links.feeds }
    // Some pages tell their true address only; the site may be known by that.
    guard let canonical = links.canonical, canonical != document.baseURL else { return [] }
    return KnownSites.feeds(forPage: canonical)
  }

  public func guesses(forPage url: String) -> [DiscoveredFeed] {
    let known = KnownSites.feeds(forPage: url)
    return DiscoveredFeed.distinct(known + WellKnownPaths.feeds(forPage: url))
  }
}

extension DiscoveredFeed {
  /// The first of the feeds with one address.
  static func distinct(_ feeds: [DiscoveredFeed]) -> [DiscoveredFeed] {
    var seen = Set<String>()
    return feeds.filter { seen.insert(URLComparison.canonical($0.url)).inserted }
  }
}
