/// The text of an item before its feed edited it. Changes of white space, counters and advertisements make no new
/// version.
public struct ItemVersion: Hashable, Sendable {
  /// The version's number; 1 is the oldest version.
  public var number: Int
  /// When the next version replaced this one.
  public var replaced: Timestamp
  public var title: String
  /// The text without markup.
  public var text: String

  public init(number: Int, replaced: Timestamp, title: String, text: String) {
    self.number = number
    self.replaced = replaced
    self.title = title
    self.text = text
  }
}

/// Reads earlier versions of items.
public protocol ItemVersionReading: Sendable {
  /// Returns the earlier versions, oldest first. The current text is not included; `NewsItem` contains it. Throws
  /// `noSuchItem`.
  func versions(of id: NewsItem.ID) async throws(StoreError) -> [ItemVersion]
}
