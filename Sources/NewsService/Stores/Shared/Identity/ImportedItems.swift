import NewsCore

/// Gives the items of an import the guids of their feed, at the feed's first poll. Other readers export no guids, so an
/// imported item is found by its link, or else by title and date.
package enum ImportedItems {
  /// Maximum number of stored items that are compared with a document.
  static let examined = 5000

  private struct Name: Hashable {
    var title: String
    var published: Timestamp?
  }

  /// Renames the stored items without a guid that `items`, the feed's first document, lists.
  static func adopt(
    _ items: [StoredItem],
    of feed: Feed.ID,
    in session: inout some ItemSession
  ) throws(StoreError) {
    let policy = IdentityPolicy.guid
    var listed: Set<Int64> = []
    var links: [String: Int] = [:]
    var names: [Name: Int] = [:]
    for item in items {
      listed.insert(policy.identity(of: item))
      if let url = item.url { links[url, default: 0] += 1 }
      names[name(item.title, item.published), default: 0] += 1
    }
    // Nil: several stored items have this link or name.
    var storedLinks: [String: KnownItem?] = [:]
    var storedNames: [Name: KnownItem?] = [:]
    for known in try session.newest(of: feed, limit: examined)
    where known.guid == nil && !listed.contains(known.identity) {
      if let url = known.url { storedLinks.updateValue(storedLinks[url] == nil ? known : nil, forKey: url) }
      let name = name(known.title, known.published)
      storedNames.updateValue(storedNames[name] == nil ? known : nil, forKey: name)
    }
    guard !storedNames.isEmpty else { return }
    var taken: Set<Int64> = []
    for item in items {
      let identity = policy.identity(of: item)
      let name = name(item.title, item.published)
      var former: KnownItem?
      if let url = item.url, links[url] == 1 { former = storedLinks[url] ?? nil }
      if former == nil, item.published != nil, !item.title.isEmpty, names[name] == 1 {
        former = storedNames[name] ?? nil
      }
      guard let former, try session.existing(identity, in: feed) == nil,
        taken.insert(former.identity).inserted
      else { continue }
      try session.rename(
        former,
        guid: item.guid == item.url ? nil : item.guid,
        url: item.url ?? former.url,
        identity: identity
      )
    }
  }

  /// Spaces differ between readers.
  private static func name(_ title: String, _ published: Timestamp?) -> Name {
    Name(title: title.split(whereSeparator: \.isWhitespace).joined(separator: " "), published: published)
  }
}
