import NewsCore

/// Claims of feeds: one byte of the claim file for each.
struct FeedClaims: FeedClaiming {
  let file: ClaimFile

  func claim(_ id: Feed.ID) -> Bool {
    // Where there are no locks, feeds are asked all the same.
    file.lock(Int64(id.rawValue)) != .refused
  }

  func release(_ id: Feed.ID) { file.unlock(Int64(id.rawValue)) }
}
