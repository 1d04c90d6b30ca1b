import Glibc
package import NewsCore

extension NewsStore: StoreWatching {
  public func fileState() async -> StoreFileState {
    let known = watchedFile
    guard let file = known.file else { return .intact }
    guard let found = FileIdentity(path: path) else { return errno == ENOENT ? .deleted : .intact }
    guard found == file else { return .replaced }
    // Use a new connection, because those of the store may be unable to read the file that is now at the path.
    if let connection = try? Connection(path: path, access: .reading, busyTimeout: 0, known: known.content),
      connection.wasOverwritten()
    {
      return .replaced
    }
    guard let restored = try? await readRestored() else { return .intact }
    guard let before = known.restored else {
      watch(restored: restored)
      return .intact
    }
    return restored == before ? .intact : .replaced
  }

  private func readRestored() async throws(StoreError) -> Int64? {
    try await read { (connection) throws(StoreError) in try connection.integer("SELECT restored FROM file") }
  }

  public func revision() async throws(StoreError) -> Int64 {
    try await read { (connection) throws(StoreError) in
      try connection.integer("SELECT commits FROM file") ?? 0
    }
  }

  public func reopen() async throws(StoreError) {
    await close()
    // Wait up to 5 s until this process has closed the file: while a connection is open, `ForeignWAL` neither examines
    // nor renames the WAL of the former content.
    for _ in 0..<500 {
      guard let file = FileIdentity(path: path), OpenFiles.contains(file) else { break }
      try? await Task.sleep(for: .milliseconds(10))
      closeIdleReaders()
    }
    watch(restored: try await readRestored())
  }
}
