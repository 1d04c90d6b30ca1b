import NewsCore

/// Parses a toy format: a first line `feed TITLE`, then lines `item ID SECONDS TITLE`, `ttl MINUTES` and `limit NOTE`.
/// A document that starts with the line `html` is a page; each further line is the URL of a feed.
struct FakeParser: FeedParsing, FeedDiscovering {
  /// Called at the start of each parse.
  var onParse: @Sendable () -> Void = {}

  func parse(_ document: FeedDocument) throws(FeedParseError) -> ParsedFeed {
    onParse()
    let lines = String(decoding: document.bytes, as: UTF8.self).split(separator: "\n")
    guard let first = lines.first else { throw FeedParseError(code: .empty, message: "The body is empty.") }
    guard first != "html" else { throw FeedParseError(code: .htmlPage, message: "It is an HTML page.") }
    guard first.hasPrefix("feed ") else { throw FeedParseError(code: .notAFeed, message: "It is no feed.") }
    var feed = ParsedFeed(format: "toy")
    feed.title = String(first.dropFirst(5))
    for line in lines.dropFirst() {
      let words = line.split(separator: " ", maxSplits: 3)
      switch words.first {
      case "item" where words.count > 2:
        var item = ParsedItem()
        item.id = String(words[1])
        item.published = Int64(words[2]).map { Timestamp(seconds: $0) }
        item.title = words.count > 3 ? String(words[3]) : nil
        feed.items.append(item)
      case "limit": feed.limitNotes.append(String(line.dropFirst(6)))
      case "ttl" where words.count > 1: feed.hints.ttl = Int(words[1])
      default: feed.isWellFormed = false
      }
    }
    return feed
  }

  func feeds(inPage document: FeedDocument) -> [DiscoveredFeed] {
    String(decoding: document.bytes, as: UTF8.self).split(separator: "\n").dropFirst()
      .map { DiscoveredFeed(url: String($0)) }
  }

  func guesses(forPage url: String) -> [DiscoveredFeed] {
    [DiscoveredFeed(url: url + "/feed"), DiscoveredFeed(url: url + "/rss.xml")]
  }
}
