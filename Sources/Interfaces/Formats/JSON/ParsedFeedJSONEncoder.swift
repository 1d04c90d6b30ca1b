public import Modules
public import NewsCore
import NewsToolbox

/// Encodes a feed as one JSON Feed object, in pieces of some 64 KiB, also within an item.
public struct ParsedFeedJSONEncoder: ParsedFeedEncoding {
  private var json = JSONWriter(reservingCapacity: 1 << 17)
  private var hasBegun = false
  private static let pieceSize = 1 << 16

  public init() {}

  public mutating func append(_ item: ParsedItem, to output: ([UInt8]) -> Void) {
    begin()
    ParsedFeedJSON.write(item, into: &json) { Self.drain(&$0, to: output) }
    Self.drain(&json, to: output)
  }

  public mutating func finish(_ feed: ParsedFeed, to output: ([UInt8]) -> Void) {
    begin()
    ParsedFeedJSON.end(feed, into: &json) { Self.drain(&$0, to: output) }
    output(json.takeBytes() + [UInt8(ascii: "\n")])
  }

  private mutating func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    ParsedFeedJSON.begin(&json)
  }

  private static func drain(_ json: inout JSONWriter, to output: ([UInt8]) -> Void) {
    guard json.bytes.count > pieceSize else { return }
    output(json.takeBytes())
  }
}
