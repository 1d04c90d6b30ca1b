import NewsStoresShared
import Glibc
package import NewsCore

extension NewsStore: SearchHistoryKeeping {
  public func remember(search query: String, at time: Timestamp) async {
    guard query.contains(where: { !$0.isWhitespace }) else { return }
    closeIdleReaders()
    do {
      try prepareFile()
      if access(path, F_OK) != 0 { try await write { _ in } }
      // Use a separate connection, so that a search waits neither for other writers nor for fsync.
      let connection = try Connection(path: path, access: .writing, busyTimeout: 4)
      try connection.deferSync(unlessLogExceeds: 1 << 19)
      try connection.transaction { () throws(StoreError) in
        try connection.remember(search: query, at: time)
        try connection.countCommit()
      }
    } catch {
      // Ignore a failure to record the search: it has already been answered.
    }
  }
}
