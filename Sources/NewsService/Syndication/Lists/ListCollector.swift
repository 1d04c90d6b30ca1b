import NewsCore
import NewsToolbox

/// Collects the entries of a subscription list.
struct ListCollector {
  private(set) var list = SubscriptionList()
  private let maximumFeeds: Int

  init(maximumFeeds: Int) {
    self.maximumFeeds = maximumFeeds
  }

  mutating func setTitle(_ title: String) {
    if list.title == nil { list.title = title }
  }

  mutating func setTruncated() {
    list.isTruncated = true
  }

  mutating func skip(line: Int, _ entry: String, _ reason: String) {
    guard list.skipped.count < 1000 else { return }
    list.skipped.append(SubscriptionList.Skipped(line: line, entry: Self.shortened(entry), reason: reason))
  }

  mutating func add(_ search: SavedSearch) {
    if list.searches.count < 1000 { list.searches.append(search) }
  }

  /// Adds the feed if its address is allowed in a list. `leftOut` contains the names of settings that newsd ignores.
  mutating func add(_ feed: NewFeed, line: Int, leftOut: [String] = [], rules: [FeedFilter.Rule] = []) {
    guard list.feeds.count < maximumFeeds else {
      skip(line: line, feed.url, "the list has more than \(maximumFeeds) feeds")
      return
    }
    var feed = feed
    switch ListedAddress(feed.url) {
    case .web(let url): feed.url = url
    case .refused(let reason):
      skip(line: line, feed.url, reason)
      return
    }
    feed.siteURL = feed.siteURL.flatMap { ListedAddress.resolved($0, base: feed.url) }
    feed.title = feed.title.flatMap(Self.line)
    if feed.title == feed.url { feed.title = nil }
    if feed.folder?.isEmpty == true { feed.folder = nil }
    list.feeds.append(feed)
    if !leftOut.isEmpty {
      list.leftOut.append(
        SubscriptionList.UnsupportedSettings(url: feed.url, what: leftOut.map(Self.shortened))
      )
    }
    for rule in rules {
      let query = rule.query(for: feed.url)
      list.rules.append(SubscriptionList.EntryRule(url: feed.url, query: query, actions: [rule.action]))
    }
  }

  /// Removes invisible characters (`isInvisible`), replaces ASCII control characters by spaces, and trims
  /// spaces; nil if nothing remains.
  static func line(_ text: String) -> String? {
    var bytes = Array(text.unicodeScalars.contains(where: isInvisible) ? String(plain(text)).utf8 : text.utf8)
    for index in bytes.indices where bytes[index] < UInt8(ascii: " ") { bytes[index] = UInt8(ascii: " ") }
    guard let first = bytes.firstIndex(where: { $0 != UInt8(ascii: " ") }),
      let last = bytes.lastIndex(where: { $0 != UInt8(ascii: " ") })
    else { return nil }
    return String(streamSafe: bytes[first...last])
  }

  private static func plain(_ text: String) -> String.UnicodeScalarView {
    text.unicodeScalars.filter { !isInvisible($0) }
  }

  /// True for invisible characters that a name never needs: DEL, C1 controls, direction overrides, noncharacters.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF: true
    default: false
    }
  }

  private static func shortened(_ entry: String) -> String {
    entry.unicodeScalars.count <= 200 ? entry : String(entry.unicodeScalars.prefix(199)) + "…"
  }
}
