import Glibc
public import NewsCore

extension NewsStore: StoreWatching {
  public func fileState() async -> StoreFileState {
    let known = watchedFile
    guard let file = known.file else { return .intact }
    guard let found = FileIdentity(path: path) else { return errno == ENOENT ? .deleted : .intact }
    guard found == file else { return .replaced }
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

  public func reopen() async throws(StoreError) {
    await close()
    watch(restored: try await readRestored())
  }
}

extension NewsStore: StoreMeasuring {
  public func sizes() async throws(StoreError) -> StoreSizes {
    var sizes = StoreSizes()
    var status = stat()
    if stat(path, &status) == 0 {
      sizes.storeBytes = Int64(status.st_size)
      sizes.lastCommit = Timestamp(seconds: Int64(status.st_mtim.tv_sec))
    }
    if stat(path + "-wal", &status) == 0 {
      sizes.logBytes = Int64(status.st_size)
      if status.st_size > 0 {
        let time = Timestamp(seconds: Int64(status.st_mtim.tv_sec))
        sizes.lastCommit = max(sizes.lastCommit ?? time, time)
      }
    }
    sizes.freeBytes = try await read { (connection) throws(StoreError) in
      let free = try connection.integer("PRAGMA freelist_count") ?? 0
      return free * (try connection.integer("PRAGMA page_size") ?? 0)
    }
    return sizes
  }
}
