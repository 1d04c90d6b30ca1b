/// Finds the other items, mostly of other feeds, that tell the same story.
public protocol StoryReading: Sendable {
  /// Returns the other items of the item's cluster, newest first, without their texts; none for an item without a
  /// cluster. Throws `noSuchItem`.
  func itemsOfStory(of id: NewsItem.ID, limit: Int) async throws(StoreError) -> [NewsItem]
}
