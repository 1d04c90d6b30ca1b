/// What became of the page behind an item.
public struct ItemArticle: Hashable, Sendable {
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Not fetched yet.
    case waiting
    /// The item's text is the page's article.
    case fetched
    /// The item's text is the feed's own; `reason` says why.
    case refused
  }

  public var state: State
  public var reason: String?
  public var fetched: Timestamp?
  /// The feed's own text; set if the article has replaced it.
  public var feedText: String?
  public var feedHTML: String?

  public init(
    state: State,
    reason: String? = nil,
    fetched: Timestamp? = nil,
    feedText: String? = nil,
    feedHTML: String? = nil
  ) {
    self.state = state
    self.reason = reason
    self.fetched = fetched
    self.feedText = feedText
    self.feedHTML = feedHTML
  }
}
