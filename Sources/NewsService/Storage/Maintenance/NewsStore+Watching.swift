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
