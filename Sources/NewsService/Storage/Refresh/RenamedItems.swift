import NewsCore

/// Detects items whose guids or links differ from those in the last document; for feeds identified by content.
struct RenamedItems {
  private struct Match {
    var item: StoredItem
    var key: Int64
    var guid: String?
    var url: String?
  }

  /// Number of stored items examined for duplicate guids or links; more than one document lists.
  private static let recent: Int64 = 500

  private let feed: Feed.ID
  private let connection: Connection

  init(_ feed: Feed.ID, _ connection: Connection) {
    self.feed = feed
    self.connection = connection
  }

  /// Returns `.guid` or `.link` if the guids or links are the same as in the last document, nil otherwise. A site that
  /// moved changes them once; session ids change them at every fetch.
  func stablePolicy(_ items: [StoredItem]) throws(StoreError) -> IdentityPolicy? {
    let matches = try self.matches(items)
    guard !matches.isEmpty, matches.count * 10 >= items.count * 6 else { return nil }
    for policy in [IdentityPolicy.guid, .link] {
      let steady = matches.count { match in
        policy.identity(of: match.item)
          == policy.identity(guid: match.guid, url: match.url, title: match.item.title, text: match.item.text)
      }
      guard steady * 10 >= matches.count * 9, Set(items.map(policy.identity(of:))).count == items.count,
        try isUniqueAmongStored(policy)
      else { continue }
      return policy
    }
    return nil
  }

  /// Stores the current guids and links of known items for comparison with the next document. This is not logged as a
  /// change.
  func storeGuidsAndLinks(_ items: [StoredItem]) throws(StoreError) {
    let update = try connection.prepare("UPDATE items SET guid = ?, url = ? WHERE key = ?")
    for match in try matches(items) where match.item.guid != match.guid || match.item.url != match.url {
      try update.bind(1, match.item.guid == match.item.url ? nil : match.item.guid)
      try update.bind(2, match.item.url)
      try update.bind(3, match.key)
      try update.run()
    }
  }

  /// Returns the items that are stored with the same title and text.
  private func matches(_ items: [StoredItem]) throws(StoreError) -> [Match] {
    let row = try connection.prepare(
      "SELECT key, coalesce(guid, url), url FROM items WHERE feed = ? AND identity = ?"
    )
    var matches: [Match] = []
    for item in items {
      try row.bind(1, feed.rawValue)
      try row.bind(2, IdentityPolicy.content.identity(of: item))
      if try row.step() {
        matches.append(
          Match(item: item, key: row.int64(0), guid: row.optionalString(1), url: row.optionalString(2))
        )
      }
      row.reset()
    }
    return matches
  }

  /// Returns false if stored items share a guid or link, such as a link that gets new content every day.
  private func isUniqueAmongStored(_ policy: IdentityPolicy) throws(StoreError) -> Bool {
    let row = try connection.prepare(
      "SELECT coalesce(guid, url), url, title, key FROM items WHERE feed = ? ORDER BY key DESC LIMIT ?"
    )
    try row.bind(1, feed.rawValue)
    try row.bind(2, Self.recent)
    var seen: Set<Int64> = []
    while try row.step() {
      let guid = row.optionalString(0)
      // An item without guid and link is identified by its content, which is unique.
      guard guid != nil else { continue }
      let url = row.optionalString(1)
      let identity = policy.identity(guid: guid, url: url, title: row.string(2), text: "")
      guard seen.insert(identity).inserted else { return false }
    }
    return true
  }
}
