package import NewsCore

// The quota of an account's store.

/// Maximum number of items that one transaction removes because of the quota. Smaller than that of other pruning, so that
/// little more is removed than necessary.
private let portion = 100

extension StoreSession {
  func limits() throws(StoreError) -> StoreQuota {
    try secret(quotaName).map { StoreQuota(stored: String(decoding: $0, as: UTF8.self)) } ?? StoreQuota()
  }

  fileprivate func quota() throws(StoreError) -> StoreQuota {
    var quota = try limits()
    quota.usedFeeds = Int(try number("SELECT count(*) FROM feeds") ?? 0)
    if let limit = quota.bytes { quota.usedBytes = try countedBytes(limit) }
    return quota
  }

  /// The bytes of the store that count towards the limit: without tombstones, which the owner of the account cannot remove. They
  /// are a few hundred bytes each, and may take up as much again as the limit.
  private func countedBytes(_ limit: Int64, isRecent: Bool = false) throws(StoreError) -> Int64 {
    let used = isRecent ? try recentUsedBytes() : try usedBytes()
    return max(0, used - min(try countedTombstones(isRecent: isRecent), limit))
  }

  /// About the bytes of the tombstones with their index. Reads all of them.
  package func tombstoneBytes() throws(StoreError) -> Int64 {
    let (guid, url) = (Self.byteCount(of: "guid"), Self.byteCount(of: "url"))
    return try number("SELECT CAST(sum(80 + \(guid) + coalesce(\(url), 0)) AS bigint) FROM tombstones") ?? 0
  }

  /// Removes the older half of the tombstones if they take up more than the limit of the store.
  fileprivate func halveTombstones() throws(StoreError) {
    guard let limit = try limits().bytes, try tombstoneBytes() > limit else { return }
    try run(
      """
      DELETE FROM tombstones WHERE sequence < (SELECT t.sequence FROM tombstones AS t ORDER BY t.sequence LIMIT 1
        OFFSET (SELECT count(*) / 2 FROM tombstones))
      """
    )
  }

  /// Throws `overQuota` if the store has no room for so many more feeds.
  func refuseAboveQuota(adding count: Int) throws(StoreError) {
    guard let limit = try limits().feeds else { return }
    let present = Int(try number("SELECT count(*) FROM feeds") ?? 0)
    guard present + count > limit else { return }
    let more = count == 1 ? "so no other can be added" : "so \(count) more cannot be added"
    throw StoreError(
      code: .overQuota,
      message: "the quota for feeds is \(limit) (in use: \(present)), \(more); remove feeds first"
    )
  }

  /// Throws `overQuota` if the store is larger than its quota.
  package func refuseAboveQuota() throws(StoreError) {
    if let problem = try quotaProblem() { throw StoreError(code: .overQuota, message: problem) }
  }

  /// What is wrong if the store is larger than its quota; else nil.
  func quotaProblem() throws(StoreError) -> String? {
    var quota = try limits()
    // Every batch of documents asks, so tombstones are measured anew only before one is refused.
    guard let limit = quota.bytes, try recentUsedBytes() > limit,
      try countedBytes(limit, isRecent: true) > limit
    else { return nil }
    quota.usedBytes = try countedBytes(limit)
    return quota.problem
  }

  /// Removes some of the oldest read items if the store is still above the goal. Returns how many.
  fileprivate func pruneToQuota() throws(StoreError) -> Int {
    guard let goal = try limits().goal, try countedBytes(goal) > goal else { return 0 }
    let isPending = "EXISTS (SELECT 1 FROM outbox WHERE item = i.id AND due IS NOT NULL)"
    let kept = try has(Self.lastPartOfHooks) ? "AND NOT \(isPending)" : ""
    let ids = try rows(
      """
      SELECT id FROM items AS i WHERE is_read = 1 AND is_starred = 0 \(kept)
      ORDER BY \(Self.oldestFirst) LIMIT $1
      """,
      portion
    ) { $0.int64(0) }
    try remove(items: ids)
    return ids.count
  }
}

extension TableStore {
  package func quota() async throws(StoreError) -> StoreQuota {
    try await snapshot { (session) throws(StoreError) in try session.quota() }
  }

  package func change(_ changes: [QuotaChange]) async throws(StoreError) {
    try await transaction { (session) throws(StoreError) in
      var quota = try session.limits()
      for change in changes {
        switch change {
        case .feeds(let limit): quota.feeds = limit
        case .bytes(let limit): quota.bytes = limit
        }
      }
      try session.keep(quota.stored, as: quotaName)
    }
  }

  package func pruneToQuota() async throws(StoreError) -> Int {
    let quota = try await quota()
    guard quota.isAboveBytes, quota.goal != nil else { return 0 }
    try await transaction { (session) throws(StoreError) in try session.halveTombstones() }
    var total = 0
    while true {
      let removed = try await transaction { (session) throws(StoreError) in try session.pruneToQuota() }
      guard removed > 0 else { break }
      total += removed
      letOthersWrite()
    }
    try await transaction { (session) throws(StoreError) in try session.forgetRemains(of: nil) }
    return total
  }
}

/// When a change of many rows asks again whether the store is above its quota.
struct QuotaPace {
  private var rows = 0

  /// True after each 1,000 rows.
  mutating func isDue(after added: Int) -> Bool {
    rows += added
    guard rows >= 1000 else { return false }
    rows = 0
    return true
  }
}
