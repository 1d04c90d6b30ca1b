/// The text of an item before its feed edited it. Changes of white space, counters and advertisements make no new
/// version.
public struct ItemVersion: Hashable, Sendable {
  /// 1 is the oldest.
  public var number: Int
  /// When the next version replaced it.
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

/// Reads earlier versions of items.
public protocol ItemVersionReading: Sendable {
  /// Oldest first, without the current text, which `NewsItem` has. Throws `noSuchItem`.
  func versions(of id: NewsItem.ID) async throws(StoreError) -> [ItemVersion]
}
