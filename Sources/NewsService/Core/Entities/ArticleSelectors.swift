/// The user's CSS selectors for the article of a page.
public struct ArticleSelectors: Hashable, Sendable {
  /// Selects the article's elements, in document order. Nil: newsd finds the article itself.
  public var content: String?
  /// Selects elements to remove from the article.
  public var remove: String?
  /// Selects the link to the next page of the same article.
  public var next: String?

  public init(content: String? = nil, remove: String? = nil, next: String? = nil) {
    self.content = content
    self.remove = remove
    self.next = next
  }
}
