import NewsCore
@testable import NewsSyndication

/// Any document is parsed or refused; no link in the result has an active scheme.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFeed(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  let document = FeedDocument(bytes: bytes, contentType: nil, baseURL: "https://example.org/feed")
  guard let feed = try? FeedParser().parse(document) else { return 0 }
  var links = [feed.homePageURL, feed.feedURL, feed.icon, feed.favicon, feed.image?.url]
  for item in feed.items {
    links += [item.url, item.externalURL, item.image, item.commentsURL]
    links += item.enclosures.map(\.url)
    links += item.links.map(\.href)
  }
  for link in links.compactMap({ $0?.lowercased() }) {
    for scheme in ["javascript:", "vbscript:", "data:"] {
      require(!link.hasPrefix(scheme), "active link \(link)")
    }
  }
  _ = try? FeedParser().check(document)
  return 0
}
