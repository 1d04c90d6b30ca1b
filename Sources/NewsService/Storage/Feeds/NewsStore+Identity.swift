public import NewsCore

extension NewsStore: FeedIdentityKeeping {
  public func identity(of id: Feed.ID) async throws(StoreError) -> FeedIdentity {
    try await read { (connection) throws(StoreError) in
      let chosen = try Self.existingFeed(id, connection).settings.identity
      let statement = try connection.prepare("SELECT identity FROM feeds WHERE id = ?")
      try statement.bind(1, id.rawValue)
      let present = try statement.step() ? statement.optionalString(0) : nil
      return FeedIdentity(
        policy: chosen ?? present ?? IdentityPolicy.guid.rawValue,
        isChosenByUser: chosen != nil
      )
    }
  }

  public func setIdentity(of id: Feed.ID, to policy: String?) async throws(StoreError) {
    if let policy, IdentityPolicy(rawValue: policy) == nil { throw IdentityPolicy.unknown(policy) }
    try await write { (connection) throws(StoreError) in
      var settings = try Self.existingFeed(id, connection).settings
      settings.identity = policy
      let statement = try connection.prepare("UPDATE feeds SET settings = ? WHERE id = ?")
      try statement.bind(1, settings.storedText)
      try statement.bind(2, id.rawValue)
      try statement.run()
    }
  }
}
