public import Modules
public import NewsCore
import NewsToolbox

/// Encodes a feed as one JSON Feed object, in pieces of some 64 KiB, also within an item.
public struct ParsedFeedJSONEncoder: ParsedFeedEncoding {
  private var json = JSONWriter(reservingCapacity: 1 << 17)
  private var hasBegun = false

  public init() {}

  public mutating func append(_ item: ParsedItem, to output: ([UInt8]) -> Void) {
    begin()
    json.passing(to: output) { ParsedFeedJSON.write(item, into: &$0) }
  }

  public mutating func finish(_ feed: ParsedFeed, to output: ([UInt8]) -> Void) {
    begin()
    json.passing(to: output) { ParsedFeedJSON.end(feed, into: &$0) }
    output(json.takeBytes() + [UInt8(ascii: "\n")])
  }

  private mutating func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    ParsedFeedJSON.begin(&json)
  }
}
