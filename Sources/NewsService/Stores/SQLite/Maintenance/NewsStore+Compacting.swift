import Glibc
package import NewsCore

extension NewsStore: StoreCompacting {
  public func compact(
    progress: @escaping StoreProgressHandler
  ) async throws(StoreError) -> (before: Int64, after: Int64) {
    let before = fileSize()
    progress(StoreProgress(done: 0, total: 2))
    // VACUUM builds the new file in SQLite's directory for temporary files, which may be a small tmpfs; use the store's
    // directory.
    setenv("SQLITE_TMPDIR", StoreDirectory.path(ofStore: path), 0)
    closeIdleReaders()
    try await maintain { (connection) throws(StoreError) in try connection.execute("VACUUM") }
    progress(StoreProgress(done: 1, total: 2))
    try await write { (connection) throws(StoreError) in try connection.touch() }
    // The file shrinks at the checkpoint. If a reader blocks this checkpoint, the file shrinks at the next one.
    try await maintain { (connection) throws(StoreError) in
      _ = try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    progress(StoreProgress(done: 2, total: 2))
    return (before, fileSize())
  }

  /// Returns the size of the store's file in bytes; 0 if the file cannot be examined.
  private func fileSize() -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }
}
