public import NewsCore

/// Makes the routes from a search to other screens.
public struct NewsSearchRouter: Sendable {
  public init() {}

  /// The route to a match by its ordinal, as from a list.
  public func open(_ ordinal: Int, in search: NewsSearchViewModel) throws(UserMessage) -> Route {
    try NewsListRouter().open(ordinal, in: search.list)
  }

  /// The route that marks all matches, including matches that no page has shown.
  public func marking(_ search: SearchRoute, _ mark: ItemMark) -> MarkRoute {
    MarkRoute(.found(search), mark)
  }
}
