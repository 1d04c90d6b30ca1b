/// Reads items that programs write: one per line, or an array of JSON objects.
public protocol ItemLineDecoding: Sendable {
  /// Reads the item of one line: a JSON object with the keys of JSON Feed or of newsd's own `jsonl`, or the fields of
  /// sfeed(5). HTML is sanitised and `contentText` filled.
  ///
  /// Throws `notAFeed`, with the reason, for a line that is not an item.
  func item(ofLine line: ArraySlice<UInt8>) throws(FeedParseError) -> ImportedItem

  /// Reads the items of an array of JSON objects, as `newsd list --format json` prints it. Skips elements that are not
  /// objects. Returns nil if the bytes do not begin with `[`. Throws `notAFeed` for invalid JSON.
  func items(ofArray bytes: ArraySlice<UInt8>) throws(FeedParseError) -> [ImportedItem]?

  /// Recognizes the shape of an input that begins with `start`; returns nil if `start` is too short to tell.
  func shape(of start: ArraySlice<UInt8>) -> ItemInputShape?
}

/// How an input arranges its items.
public enum ItemInputShape: Hashable, Sendable {
  /// One item per line.
  case lines
  /// One document (a feed, or an array of JSON objects), which can be parsed only when it is complete.
  case document
}
