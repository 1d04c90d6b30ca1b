/// Whether the pages of a feed's new items are fetched for the whole article.
public enum ArticlePolicy: String, Hashable, Sendable, Codable, CaseIterable {
  /// Pages are fetched if the feed's own texts are short (`isForExcerpts`).
  case auto
  case always
  case never

  /// How many of the newest items `auto` examines, and how many of them must be short.
  public static let examined = 5
  public static let fewestShort = 3
  /// A text with fewer characters counts as an excerpt.
  public static let excerptLength = 500

  /// Returns true when enough of the newest items have a link and a text shorter than an article. `newest`
  /// has, for each of the newest items, the length of the feed's own text and whether the item has a link.
  public static func isForExcerpts(_ newest: [(length: Int, hasLink: Bool)]) -> Bool {
    newest.prefix(examined).count { $0.length < excerptLength && $0.hasLink } >= fewestShort
  }
}
