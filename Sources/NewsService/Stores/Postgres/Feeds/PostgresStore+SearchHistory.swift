import NewsStoresShared
package import NewsCore

extension PostgresStore: SearchHistoryKeeping {
  public func remember(search query: String, at time: Timestamp) async {
    guard query.contains(where: { !$0.isWhitespace }) else { return }
    // Ignore a failure to record the search: it has already been answered.
    try? await maintain(isTransaction: true) { (connection) throws(StoreError) in
      try connection.execute("SET LOCAL lock_timeout = '4ms'; SET LOCAL synchronous_commit = off")
      try connection.execute("LOCK TABLE searches IN SHARE ROW EXCLUSIVE MODE")
      try connection.remember(search: query, at: time)
    }
  }
}
