package import NewsCore

/// The names by which commands accept a feed.
package struct FeedName {
  package var id: Feed.ID
  package var title: String
  package var url: String
  /// The title in lower case.
  package var folded: String

  package init(id: Feed.ID, title: String, url: String) {
    self.id = id
    self.title = title
    self.url = url
    folded = title.lowercased()
  }

  /// Finds the feed for a name that is neither an id nor a URL. The name may be a title, or a part that only
  /// one title contains. Throws `ambiguousFeed` with the matches, `noSuchFeed` with similar names.
  package static func choose(_ name: String, among names: [FeedName]) throws(StoreError) -> Feed.ID {
    let wanted = name.lowercased()
    var found = names.filter { $0.folded == wanted }
    // Do not search titles for a number: it is probably the id of a feed that was just removed.
    if found.isEmpty, !wanted.isEmpty, Int64(name) == nil {
      found = names.filter { $0.folded.contains(wanted) }
    }
    if found.count == 1 { return found[0].id }
    guard found.isEmpty else {
      let list = found.prefix(5).map { "\($0.id.rawValue) (\($0.title))" }.joined(separator: ", ")
      let rest = found.count > 5 ? " and \(found.count - 5) more" : ""
      throw StoreError(
        code: .ambiguousFeed,
        message: "'\(name)' is ambiguous; it fits \(found.count) feeds: \(list)\(rest)"
      )
    }
    let near = nearest(to: wanted, in: names)
    let hint =
      near.isEmpty
      ? "" : "; similar: " + near.map { "\($0.id.rawValue) (\($0.title))" }.joined(separator: ", ")
    throw StoreError(
      code: .noSuchFeed,
      message: "no feed is called '\(WebAddress.redacted(name))'\(hint)"
    )
  }

  /// Returns the feeds that `feed:NAME` selects. The name may be part of the title or URL; case is ignored.
  package static func matching(_ name: String, among names: [FeedName]) -> [Int64] {
    let wanted = name.lowercased()
    let isURL = wanted.contains("://")
    return
      names
      .filter { feed in
        let url = feed.url.lowercased()
        if isURL { return WebAddress.redacted(url) == wanted }
        return feed.folded.contains(wanted) || url.contains(wanted)
      }
      .map(\.id.rawValue)
  }

  /// Returns the SQL condition for `items AS i` of these feeds. The ids are integers from the store, so they are safe to
  /// insert into SQL.
  package static func condition(feeds: [Int64]) -> String {
    switch feeds.count {
    case 0: "false"
    case 1: "i.feed = \(feeds[0])"
    default: "i.feed IN (\(feeds.map(String.init).joined(separator: ",")))"
    }
  }

  /// Returns up to three feeds whose titles share the most byte pairs with `wanted`.
  private static func nearest(to wanted: String, in names: [FeedName]) -> [FeedName] {
    func pairs(_ text: String) -> Set<UInt16> {
      let bytes = Array(text.utf8)
      return Set(zip(bytes, bytes.dropFirst()).map { UInt16($0) << 8 | UInt16($1) })
    }
    let target = pairs(wanted.lowercased())
    guard !target.isEmpty else { return [] }
    return names.map { name -> (name: FeedName, score: Double) in
      let own = pairs(name.folded)
      let shared = Double(own.intersection(target).count)
      let whole = 2 * shared / Double(own.count + target.count)
      // This score also matches a longer title with one misspelt word.
      let part = target.count < 3 ? 0 : shared / Double(target.count) - 0.3
      return (name, max(whole, part))
    }
    .filter { $0.score >= 0.4 }.sorted { $0.score > $1.score }.prefix(3).map(\.name)
  }
}

extension FolderPath {
  /// Returns the ids of the feeds in a folder and its subfolders. Case is ignored.
  package static func matching(_ name: String, among folders: [(id: Int64, folder: String)]) -> [Int64] {
    let wanted = (cleaned(name) ?? "").lowercased()
    return folders.filter { isInside($0.folder.lowercased(), wanted) }.map(\.id)
  }
}

/// Reasons why a feed cannot be subscribed to or renamed.
package enum FeedRefusal {
  /// The title is the name of a saved search. `--feed` accepts feeds and searches, and the search would hide the feed.
  package static func hasNameOfSearch(_ title: String) -> StoreError {
    StoreError(
      code: .badQuery,
      message:
        "'\(title)' is the name of a saved search, which would be found in place of the feed; "
        + "give the feed another name"
    )
  }

  package static func duplicate(_ url: String, _ existing: Feed) -> StoreError {
    StoreError(
      code: .duplicateFeed,
      message: "\(WebAddress.redacted(url)) is subscribed already: '\(WebAddress.redacted(existing.title))'; "
        + "'newsd list --feed \(existing.id.rawValue)' shows its items"
    )
  }

  package static var tooLong: StoreError {
    let text = "the address of a feed must have at most \(TypedAddress.longest) bytes"
    return StoreError(code: .badQuery, message: text)
  }

  package static func missing(_ id: Feed.ID) -> StoreError {
    StoreError(code: .noSuchFeed, message: "there is no feed \(id.rawValue)")
  }
}

/// Reasons why a search cannot be saved or removed.
package enum SearchRefusal {
  /// The name is that of a feed. `--feed` accepts feeds and saved searches, so the name would be ambiguous.
  package static func hasNameOfFeed(_ name: String, _ feed: FeedName) -> StoreError {
    StoreError(
      code: .badQuery,
      message: "'\(name)' names feed \(feed.id.rawValue) (\(feed.title)) already; "
        + "give the search another name"
    )
  }

  /// A rule or another search names the search, and would match nothing after the removal.
  package static func isNamed(_ name: String, by user: String) -> StoreError {
    StoreError(
      code: .badQuery,
      message: "\(user) names the search '\(name)'; remove or change that first"
    )
  }
}

extension Query {
  /// Returns true if the query refers to the saved search `name`.
  package func names(search name: String) -> Bool {
    switch self {
    case .saved(let other): other.lowercased() == name.lowercased()
    case .and(let parts), .or(let parts): parts.contains { $0.names(search: name) }
    case .not(let part): part.names(search: name)
    default: false
    }
  }
}
