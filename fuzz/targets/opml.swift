import NewsCore
@testable import NewsSyndication

/// Every feed of a list has a web address, and an exported list round-trips.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOPML(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let lists = SubscriptionLists()
  guard let list = try? lists.decodeList(Array(UnsafeBufferPointer(start: data, count: size))) else {
    return 0
  }
  var feeds: [Feed] = []
  for (index, feed) in list.feeds.enumerated() {
    require(
      feed.url.utf8.starts(with: "http://".utf8) || feed.url.utf8.starts(with: "https://".utf8),
      "not on the web: \(feed.url)"
    )
    feeds.append(
      Feed(
        id: Feed.ID(rawValue: Int64(index)),
        url: feed.url,
        title: feed.title ?? feed.url,
        siteURL: feed.siteURL,
        folder: feed.folder,
        position: index + 1,
        settings: feed.settings
      )
    )
  }
  let opml = lists.encodeOPML(feeds, searches: [], title: list.title ?? "")
  guard let again = try? lists.decodeList(Array(opml.utf8)) else {
    require(false, "its own list is refused: \(opml)")
    return 0
  }
  require(again.feeds.count == list.feeds.count && again.skipped.isEmpty, "\(again.skipped): \(opml)")
  for (a, b) in zip(list.feeds, again.feeds) {
    require(a.url == b.url && a.siteURL == b.siteURL, "\(a.url) becomes \(b.url)")
    let isPlain = a.title?.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0xFFFE } ?? true
    if isPlain {
      require(a.title == b.title, "\(a.title.debugDescription) becomes \(b.title.debugDescription)")
    }
  }
  return 0
}
