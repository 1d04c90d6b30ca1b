/// The state of an item's page.
public struct ItemArticle: Hashable, Sendable {
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// The page was not fetched yet.
    case waiting
    /// The item's text is the page's article.
    case fetched
    /// The item's text is the feed's own; `reason` says why the article was refused.
    case refused
  }

  public var state: State
  public var reason: String?
  public var fetched: Timestamp?
  /// The feed's own text; set if the article has replaced it.
  public var feedText: String?
  public var feedHTML: String?

  public init(state: State) {
    self.state = state
  }
}
