/// Changes item states inside a transaction and maintains the totals.
package protocol StateMarker {
  /// Does nothing for an item that has the state already, or does not exist.
  mutating func mark(_ id: NewsItem.ID, _ mark: ItemMark) throws(StoreError)
  /// Marks an item, and if it is now read, the other items of its story.
  mutating func markStory(of id: NewsItem.ID, _ mark: ItemMark) throws(StoreError)
  /// Logs a change of an item that is not a mark.
  mutating func note(_ id: NewsItem.ID) throws(StoreError)
  /// Updates the totals, which are wrong until this is called. Returns those of the given items that exist.
  mutating func finish(checking ids: [NewsItem.ID]) throws(StoreError) -> Set<NewsItem.ID>
}

extension StateMarker {
  package mutating func finish() throws(StoreError) { _ = try finish(checking: []) }
}
