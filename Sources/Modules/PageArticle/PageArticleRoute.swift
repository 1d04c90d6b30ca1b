/// A web page to find the article of.
public struct PageArticleRoute: Hashable, Sendable {
  public var page: DocumentSource
  /// What a feed has of the article: the answer says whether the article contains it.
  public var excerpt: String?

  public init(page: DocumentSource, excerpt: String? = nil) {
    self.page = page
    self.excerpt = excerpt
  }
}
