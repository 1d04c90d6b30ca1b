public import NewsCore

/// Locks on feeds: each feed has one byte of the lock file.
public struct FeedLocks: FeedClaiming {
  private let file: LockFile

  public init(file: LockFile) {
    self.file = file
  }

  public func claim(_ id: Feed.ID) -> FeedClaim {
    // If the lock file is unusable, fetch without locks.
    file.lock(Int64(id.rawValue)) == .refused ? .busy : .claimed(secondsSinceRequest: nil)
  }

  public func release(_ id: Feed.ID) { file.unlock(Int64(id.rawValue)) }
}
