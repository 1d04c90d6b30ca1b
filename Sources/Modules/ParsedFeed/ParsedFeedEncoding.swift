public import NewsCore

/// Encodes a feed piece by piece while it is parsed, so that a long document needs memory for one item.
public protocol ParsedFeedEncoding: Sendable {
  /// Encodes an item; passes pieces on when there is enough for a write.
  mutating func append(_ item: ParsedItem, to output: ([UInt8]) -> Void)
  /// Encodes the feed's own values and the end of the document; passes on the last piece.
  mutating func finish(_ feed: ParsedFeed, to output: ([UInt8]) -> Void)
}
