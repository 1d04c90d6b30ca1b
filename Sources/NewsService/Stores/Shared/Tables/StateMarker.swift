package import NewsCore

/// Changes item states inside a transaction and maintains the totals.
package protocol StateMarker {
  /// Marks an item. Does nothing if the item does not exist or already has the state.
  mutating func mark(_ id: NewsItem.ID, _ mark: ItemMark) throws(StoreError)
  /// Marks an item. If the item is now read, also marks the other items of its story.
  mutating func markStory(of id: NewsItem.ID, _ mark: ItemMark) throws(StoreError)
  /// Logs a change of an item other than a mark, such as one of its labels.
  mutating func note(_ id: NewsItem.ID) throws(StoreError)
  /// Updates the totals, which are wrong from the first mark until this call. Returns the elements of `ids` for which
  /// items exist.
  mutating func finish(checking ids: [NewsItem.ID]) throws(StoreError) -> Set<NewsItem.ID>
}

extension StateMarker {
  package mutating func finish() throws(StoreError) { _ = try finish(checking: []) }
}
