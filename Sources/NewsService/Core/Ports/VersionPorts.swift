/// An earlier text of an item, from before its feed edited it. White space, counters and advertisements do not count.
public struct ItemVersion: Hashable, Sendable {
  /// 1 is the oldest.
  public var number: Int
  /// When the next version took its place.
  public var replaced: Timestamp
  public var title: String
  /// Plain text.
  public var text: String

  public init(number: Int, replaced: Timestamp, title: String, text: String) {
    self.number = number
    self.replaced = replaced
    self.title = title
    self.text = text
  }
}

/// Reading what items said before.
public protocol ItemVersionReading: Sendable {
  /// Oldest first, without the present text, which is the item's own. Throws `noSuchItem`.
  func versions(of id: NewsItem.ID) async throws(StoreError) -> [ItemVersion]
}
