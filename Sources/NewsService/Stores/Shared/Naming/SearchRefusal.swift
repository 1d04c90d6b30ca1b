package import NewsCore

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
