/// An item from another program, with the state that its user gave it there.
public struct ImportedItem: Hashable, Sendable {
  /// The item. Its HTML must be sanitized, and its text extracted, before it is stored: `ItemLineDecoding`
  /// and `ForeignItemReading` give it in this form, `SfeedTable` does not.
  public var item: ParsedItem
  public var isRead: Bool
  public var isStarred: Bool
  /// True if the user removed the item in the other program: neither the import nor later polls of its feed store it.
  public var isRemoved: Bool
  /// Tags that the user gave it.
  public var tags: [String]
  /// Labels that the user gave it; the store keeps them apart from tags.
  public var labels: [String] = []
  /// When the other program stored it; nil: unknown.
  public var stored: Timestamp?

  public init(
    item: ParsedItem,
    isRead: Bool = false,
    isStarred: Bool = false,
    isRemoved: Bool = false,
    tags: [String] = [],
    stored: Timestamp? = nil
  ) {
    self.item = item
    self.isRemoved = isRemoved
    self.isRead = isRead
    self.isStarred = isStarred
    self.tags = tags
    self.stored = stored
  }
}

/// A subscription from another program.
public struct ImportedFeed: Hashable, Sendable {
  public var feed: NewFeed
  /// The subscription's items, newest first.
  public var items: [ImportedItem]

  public init(feed: NewFeed, items: [ImportedItem] = []) {
    self.feed = feed
    self.items = items
  }
}
