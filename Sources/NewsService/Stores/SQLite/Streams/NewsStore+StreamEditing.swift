package import NewsCore
import NewsStoresShared

extension NewsStore: StreamEditing {
  public func markRead(_ request: StreamRequest) async throws(StoreError) -> Int {
    try await write { (connection) throws(StoreError) in
      let ids = try StreamSelection(request, limit: .max, connection).unread()
      var marker = try ItemMarker(connection)
      for id in ids { try marker.markStory(of: id, .read) }
      try marker.finish()
      return ids.count
    }
  }
}
