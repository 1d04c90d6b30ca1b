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
      guard let title = known.title else { continue }
      let name = name(title, known.published)
      storedNames.updateValue(storedNames[name] == nil ? known : nil, forKey: name)
    }
    guard !storedLinks.isEmpty || !storedNames.isEmpty else { return }
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

  /// Returns the items of an import, where those without a guid have that of the stored item with the same link, or else
  /// the same title and date: they are the same item.
  static func recognized(
    _ items: [ImportedItem],
    of feed: Feed.ID,
    in session: some ItemSession
  ) throws(StoreError) -> [ImportedItem] {
    guard items.contains(where: { $0.item.id == nil }) else { return items }
    // Nil: several stored items have this link or name.
    var links: [String: String?] = [:]
    var names: [Name: String?] = [:]
    for known in try session.newest(of: feed, limit: examined) {
      guard let guid = known.guid else { continue }
      if let url = known.url { links.updateValue(links[url] == nil ? guid : nil, forKey: url) }
      guard let title = known.title else { continue }
      let name = name(title, known.published)
      names.updateValue(names[name] == nil ? guid : nil, forKey: name)
    }
    return items.map { imported in
      guard imported.item.id == nil else { return imported }
      var imported = imported
      let item = imported.item
      imported.item.id = item.url.flatMap { links[$0] ?? nil }
      if imported.item.id == nil, item.published != nil, let title = item.title, !title.isEmpty {
        imported.item.id = names[name(title, item.published)] ?? nil
      }
      return imported
    }
  }

  /// Spaces differ between readers.
  private static func name(_ title: String, _ published: Timestamp?) -> Name {
    Name(title: title.split(whereSeparator: \.isWhitespace).joined(separator: " "), published: published)
  }
}
