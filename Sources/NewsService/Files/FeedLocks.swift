public import NewsCore

/// Locks of feeds: one byte of the lock file for each.
public struct FeedLocks: FeedClaiming {
  private let file: LockFile

  public init(file: LockFile) {
    self.file = file
  }

  public func claim(_ id: Feed.ID) -> Bool {
    // Without a usable lock file, feeds are fetched all the same.
    file.lock(Int64(id.rawValue)) != .refused
  }

  public func release(_ id: Feed.ID) { file.unlock(Int64(id.rawValue)) }
}
