package import NewsCore

// The quota of an account's store.

/// Maximum number of items that one transaction removes because of the quota.
private let portion = 100
/// About the bytes of an item's rows without its texts.
private let rowBytes: Int64 = 1000
/// Bytes of the index that one part of a merge writes, at most.
private let mergedBytes: Int64 = 2 << 20

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

  /// Returns how many bytes pruning because of the quota must remove; 0 or less: none.
  fileprivate func excess(isRecent: Bool = false) throws(StoreError) -> Int64 {
    guard let goal = try limits().goal else { return 0 }
    return try countedBytes(goal, isRecent: isRecent) - goal
  }

  /// Merges a part of the index of words. Returns false if that is done, or not needed.
  fileprivate func mergeAboveQuota() throws(StoreError) -> Bool {
    guard try excess(isRecent: true) > 0 else { return false }
    return try mergeWords()
  }

  /// Removes some of the oldest read items, at least one if there is any, until they have about so many bytes. Returns how many,
  /// and about how many bytes they have with their versions. Texts count twice: their words are in the index, too.
  fileprivate func removeOldest(_ bytes: Int64) throws(StoreError) -> (count: Int, bytes: Int64) {
    let isPending = "EXISTS (SELECT 1 FROM outbox WHERE item = i.id AND due IS NOT NULL)"
    let kept = try has(Self.lastPartOfHooks) ? "AND NOT \(isPending)" : ""
    let ids = try rows(
      """
      SELECT id FROM items AS i WHERE is_read = 1 AND is_starred = 0 \(kept)
      ORDER BY \(Self.oldestFirst) LIMIT $1
      """,
      portion
    ) { $0.int64(0) }
    let versions = try versionBytes(of: ids)
    var removed: [Int64] = []
    var total: Int64 = 0
    for (id, size) in zip(ids, try textSizes(of: ids, within: Int(bytes / 2))) where total < bytes {
      removed.append(id)
      total += 2 * Int64(size) + (versions[id] ?? 0) + rowBytes
    }
    try remove(items: removed)
    return (removed.count, total)
  }

  /// The bytes of the versions of items that have some.
  private func versionBytes(of ids: [Int64]) throws(StoreError) -> [Int64: Int64] {
    let bytes = "\(Self.byteCount(of: "title")) + \(Self.byteCount(of: "delta"))"
    let found = try rows(
      """
      SELECT item, CAST(sum(\(bytes)) AS bigint) FROM versions WHERE item \(Self.isOne(of: "$1")) GROUP BY item
      """,
      StoreValue.integers(ids)
    ) { ($0.int64(0), $0.int64(1)) }
    return Dictionary(found) { first, _ in first }
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
    guard quota.isAboveBytes, let goal = quota.goal else { return 0 }
    try await transaction { (session) throws(StoreError) in try session.halveTombstones() }
    var total = 0
    while true {
      // Items that were removed before may have left room.
      try await mergeWords(of: quota.usedBytes) { (session) throws(StoreError) in
        try session.mergeAboveQuota()
      }
      let excess = try await snapshot { (session) throws(StoreError) in try session.excess() }
      guard excess > 0 else { break }
      // At least 1 %, so that estimates that are too large do not lead to many merges.
      let removed = try await removeOldest(max(excess, goal / 100))
      guard removed > 0 else { break }
      total += removed
    }
    try await transaction { (session) throws(StoreError) in try session.forgetRemains(of: nil) }
    return total
  }

  /// Merges the index of words of a store with so many bytes, in small transactions, until `merge` returns false.
  package func mergeWords(
    of bytes: Int64,
    _ merge: @Sendable (Session) throws(StoreError) -> Bool
  ) async throws(StoreError) {
    // A merge begins anew when words are stored meanwhile, so it is bounded.
    var parts = 2 * bytes / mergedBytes + 8
    while parts > 0, try await transaction(merge) {
      parts -= 1
      letOthersWrite()
    }
  }

  /// Removes the oldest read items that have about so many bytes, in small transactions. Returns how many.
  private func removeOldest(_ bytes: Int64) async throws(StoreError) -> Int {
    var (total, left) = (0, bytes)
    while left > 0 {
      let wanted = left
      let removed = try await transaction { (session) throws(StoreError) in try session.removeOldest(wanted) }
      guard removed.count > 0 else { break }
      total += removed.count
      left -= removed.bytes
      letOthersWrite()
    }
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
