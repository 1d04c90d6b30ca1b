import NewsStoresShared
package import NewsCore

extension PostgresStore: NodeListing {
  public func nodes() async throws(StoreError) -> [StoreNode] {
    try await read { (connection) throws(StoreError) in
      try connection.query(
        """
        SELECT n.name, n.version, extract(epoch FROM n.since)::bigint, extract(epoch FROM n.beat)::bigint,
          (SELECT count(*) FROM polls AS p WHERE p.owner = n.id AND p.feed > 0)
        FROM nodes AS n WHERE n.until > clock_timestamp() ORDER BY n.name, n.id
        """
      ).map { row in
        StoreNode(
          name: row.string(0),
          version: row.string(1),
          since: row.time(2) ?? Timestamp(seconds: 0),
          lastBeat: row.time(3) ?? Timestamp(seconds: 0),
          feeds: Int(row.int64(4))
        )
      }
    }
  }
}
