public import NewsCore
import NewsToolbox

/// Converts subscription lists: imports OPML, newsboat's `urls` and sfeed's `sfeedrc`; exports OPML.
///
/// Lists are never executed, and `file:` and `exec:` feeds are refused.
public struct SubscriptionLists: SubscriptionListCoding {
  /// Maximum number of feeds per list; further feeds are reported as skipped.
  public let maximumFeeds: Int

  public init(maximumFeeds: Int = 100_000) {
    self.maximumFeeds = maximumFeeds
  }

  public func decodeList(_ bytes: [UInt8]) throws(FeedParseError) -> SubscriptionList {
    let text = bytes.withUnsafeBufferPointer { bytes -> [UInt8] in
      let text = DocumentText(bytes, contentType: nil, override: nil)
      return text.converted(bytes) ?? Array(bytes[text.start...])
    }
    guard let first = text.firstIndex(where: { !ASCII.isSpace($0) }) else {
      throw FeedParseError(code: .empty, message: "the list is empty")
    }
    var collector = ListCollector(maximumFeeds: maximumFeeds)
    if text[first] == UInt8(ascii: "<") || Self.holdsOPML(text) {
      try readMarkup(text, into: &collector)
    } else if text.contains(0) {
      throw FeedParseError(code: .notAFeed, message: "binary data, not a list of subscriptions")
    } else if SfeedConfiguration.isLikely(text) {
      SfeedConfiguration.read(text, into: &collector)
    } else if NewsboatList.isLikely(text) {
      NewsboatList.read(text, into: &collector)
    } else {
      throw FeedParseError(
        code: .notAFeed,
        message: "not a list of subscriptions: neither OPML nor a newsboat urls file nor an sfeedrc"
      )
    }
    return collector.list
  }

  /// True when OPML begins on a line within the first 4 KiB, after other text.
  private static func holdsOPML(_ text: [UInt8]) -> Bool {
    text.prefix(4096).withUnsafeBufferPointer { head in
      var index = 0
      while let open = ByteText.firstIndex(of: UInt8(ascii: "<"), in: head, from: index) {
        let rest = UnsafeBufferPointer(rebasing: head[open...])
        let beginsLine =
          open == 0 || head[open - 1] == UInt8(ascii: "\n") || head[open - 1] == UInt8(ascii: "\r")
        if beginsLine, ByteText.hasPrefix(rest, "<opml") || ByteText.hasPrefix(rest, "<?xml ") { return true }
        index = open + 1
      }
      return false
    }
  }

  private func readMarkup(_ text: [UInt8], into collector: inout ListCollector) throws(FeedParseError) {
    let root = text.withUnsafeBufferPointer { OPMLReader.read($0, into: &collector) }
    switch root {
    case "opml", "outlinedocument", "outline", "body": return
    case "html":
      throw FeedParseError(code: .htmlPage, message: "an HTML page, not a list of subscriptions")
    case "rss", "feed", "rdf":
      throw FeedParseError(
        code: .notAFeed,
        message: "a feed, not a list of subscriptions: add it by its address"
      )
    default:
      guard collector.list.feeds.isEmpty else { return }
      throw FeedParseError(code: .notAFeed, message: "XML of another kind, not a list of subscriptions")
    }
  }

  public func encodeOPML(_ feeds: [Feed], searches: [SavedSearch], title: String) -> String {
    OPMLWriter.write(feeds, searches: searches, title: title)
  }
}
