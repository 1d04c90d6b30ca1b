import NewsStoresShared
package import NewsCore

extension NewsStore: FeedEditing {
  /// Maximum number of items of a removed feed that one transaction removes.
  private static let removedItems: Int64 = 500

  public func remove(_ id: Feed.ID) async throws(StoreError) {
    while try await items(of: id) > Self.removedItems {
      try await write { (connection) throws(StoreError) in
        var remover = try ItemRemover(connection)
        try remover.removeOldest(Int(Self.removedItems), of: id)
        try remover.finish()
      }
      letOthersWrite()
    }
    try await write { (connection) throws(StoreError) in
      let feed = try connection.existingFeed(id)
      var remover = try ItemRemover(connection)
      try remover.removeAll(of: id)
      try remover.finish()
      try ItemTags.forgetUnused(connection)
      try connection.remove(feed)
    }
  }

  private func items(of id: Feed.ID) async throws(StoreError) -> Int64 {
    try await read { (connection) throws(StoreError) in
      try connection.integer("SELECT items FROM feeds WHERE id = \(id.rawValue)") ?? 0
    }
  }
}
