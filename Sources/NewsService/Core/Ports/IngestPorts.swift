/// Reads items that programs write a line each.
public protocol ItemLineDecoding: Sendable {
  /// The item of one line: a JSON object with the names of JSON Feed or of newsd's own `jsonl`, or the fields of
  /// sfeed(5). HTML is sanitised and `contentText` filled.
  ///
  /// Throws `notAFeed`, with what is wrong, for a line that is not an item.
  func item(ofLine line: ArraySlice<UInt8>) throws(FeedParseError) -> ImportedItem

  /// The items of an array of JSON objects, as `newsd list --format json` prints one; nil: these bytes are none.
  func items(ofArray bytes: ArraySlice<UInt8>) throws(FeedParseError) -> [ImportedItem]?

  /// The kind of an input that begins with `start`; nil: too short to tell.
  func shape(of start: ArraySlice<UInt8>) -> ItemInputShape?
}

/// The shape of an input that holds items.
public enum ItemInputShape: Hashable, Sendable {
  /// One item a line.
  case lines
  /// One document (a feed, or an array of JSON objects), which makes sense only when it is whole.
  case document
}
