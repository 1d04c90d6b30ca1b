/// A request to find the article of a web page.
public struct PageArticleRoute: Hashable, Sendable {
  public var page: DocumentSource
  /// The text that a feed gives for the article; the answer says whether the article contains it.
  public var excerpt: String?

  public init(page: DocumentSource, excerpt: String? = nil) {
    self.page = page
    self.excerpt = excerpt
  }
}
