/// Whether the pages of a feed's new items are fetched for the whole article.
public enum ArticlePolicy: String, Hashable, Sendable, Codable, CaseIterable {
  /// When the feed's own texts are short: `isForExcerpts`.
  case auto
  case always
  case never

  /// How many of the newest items `auto` looks at, and how many of them must be short.
  public static let examined = 5
  public static let fewestShort = 3
  /// Characters of a text that is an excerpt.
  public static let excerptLength = 500

  /// True when enough of the newest items have a link and a text shorter than an article.
  ///
  /// - Parameter newest: Of each of the newest items the length of the feed's own text, and whether it has a link.
  /// - Returns: Whether the feed has excerpts.
  public static func isForExcerpts(_ newest: [(length: Int, hasLink: Bool)]) -> Bool {
    newest.prefix(examined).count { $0.length < excerptLength && $0.hasLink } >= fewestShort
  }
}
