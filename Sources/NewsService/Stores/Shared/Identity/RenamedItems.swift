import NewsCore

/// Detects items of the last document whose guids or links have changed. Used for feeds identified by content.
struct RenamedItems {
  private struct Match {
    var item: StoredItem
    var known: KnownItem
    /// The guid as the feed gave it.
    var guid: String? { known.guid ?? known.url }
    var url: String? { known.url }
  }

  /// Number of stored items that are examined for duplicate guids or links; larger than a document.
  private static let recent = 500

  private let feed: Feed.ID

  init(_ feed: Feed.ID) { self.feed = feed }

  /// Returns `.guid` or `.link` if the guids or links are the same as in the last document; nil otherwise. They change
  /// once when a site has moved, but at every fetch when they contain session ids.
  func stablePolicy(
    _ items: [StoredItem],
    in session: some ItemSession
  ) throws(StoreError) -> IdentityPolicy? {
    let matches = try self.matches(items, session)
    guard !matches.isEmpty, matches.count * 10 >= items.count * 6 else { return nil }
    for policy in [IdentityPolicy.guid, .link] {
      let steady = matches.count { match in
        policy.identity(of: match.item)
          == policy.identity(guid: match.guid, url: match.url, title: match.item.title, text: match.item.text)
      }
      guard steady * 10 >= matches.count * 9, Set(items.map(policy.identity(of:))).count == items.count,
        try isUniqueAmongStored(policy, session)
      else { continue }
      return policy
    }
    return nil
  }

  /// Stores the current guids and links of known items, for comparison with the next document. The change log does not
  /// record this.
  func storeGuidsAndLinks(_ items: [StoredItem], in session: inout some ItemSession) throws(StoreError) {
    for match in try matches(items, session)
    where match.item.guid != match.guid || match.item.url != match.url {
      let guid = match.item.guid == match.item.url ? nil : match.item.guid
      try session.rename(match.known, guid: guid, url: match.item.url, identity: match.known.identity)
    }
  }

  /// Returns the items of the document that are stored with the same title and text.
  private func matches(_ items: [StoredItem], _ session: some ItemSession) throws(StoreError) -> [Match] {
    var matches: [Match] = []
    for item in items {
      guard let known = try session.known(IdentityPolicy.content.identity(of: item), in: feed) else {
        continue
      }
      matches.append(Match(item: item, known: known))
    }
    return matches
  }

  /// Returns false if several stored items share a guid or link, such as a link that gets new content every day.
  private func isUniqueAmongStored(
    _ policy: IdentityPolicy,
    _ session: some ItemSession
  ) throws(StoreError) -> Bool {
    var seen: Set<Int64> = []
    for item in try session.newest(of: feed, limit: Self.recent) {
      // An item without guid and link is identified by its content, which is unique.
      guard let guid = item.guid ?? item.url else { continue }
      let identity = policy.identity(guid: guid, url: item.url, title: item.title ?? "", text: "")
      guard seen.insert(identity).inserted else { return false }
    }
    return true
  }
}
