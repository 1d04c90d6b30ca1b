import NewsStoresShared
package import NewsCore

extension PostgresStore: FeedEditing {
  public func remove(_ id: Feed.ID) async throws(StoreError) {
    try await write { (connection) throws(StoreError) in
      let feed = try connection.existingFeed(id)
      let items = try connection.query("SELECT id FROM items WHERE feed = $1 ORDER BY sort, id", id.rawValue)
      var remover = try ItemRemover(connection)
      try remover.remove(items.map { $0.int64(0) })
      try remover.finish()
      try connection.remove(feed)
      try connection.query("DELETE FROM polls WHERE feed = $1", id.rawValue)
    }
  }
}
