package import NewsCore

/// Measures a store on a server.
package struct PostgresMeasure: StoreFileMeasuring {
  private let files: any StoreFileMeasuring
  private let store: @Sendable () -> PostgresStore?

  /// - Parameters:
  ///   - files: Measures the files of this machine.
  ///   - store: Returns the store if it is open.
  package init(files: any StoreFileMeasuring, store: @escaping @Sendable () -> PostgresStore?) {
    self.files = files
    self.store = store
  }

  public func figures() async -> StoreFigures? {
    guard let store = store() else { return nil }
    return try? await store.read { (connection) throws(StoreError) in
      // This is fast: the server adds up the sizes of files.
      let size = try connection.integer(
        """
        SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class
        WHERE relkind = 'r' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
        """
      )
      return size.map { StoreFigures(storeBytes: $0) }
    }
  }

  public func runningDaemon() -> DaemonPresence? { files.runningDaemon() }
}
