public import NewsCore

/// Makes the routes from a list of items to other screens.
public struct NewsListRouter: Sendable {
  public init() {}

  /// The route to an item by its ordinal. Ordinals count across pages, as lists print them. A number below the page's
  /// first ordinal counts within the page. Throws a usage error that states the valid numbers.
  public func open(_ ordinal: Int, in list: NewsListViewModel) throws(UserMessage) -> Route {
    let first = list.page?.first ?? 1
    let index = ordinal >= first ? ordinal - first : ordinal - 1
    let ids = list.ids
    guard ids.indices.contains(index) else {
      let total = list.page?.total ?? 0
      let shown =
        if !ids.isEmpty {
          "the items shown are \(first) to \(first + ids.count - 1)"
        } else {
          total > 0 ? "the list has \(total)" : "nothing is shown"
        }
      throw UserMessage(code: .usage, text: "no item \(ordinal) to open: \(shown)")
    }
    return .items([ids[index]])
  }

  /// The route that marks all items of a list, including items that no page has shown.
  public func marking(_ list: ListRoute, _ mark: ItemMark) -> MarkRoute {
    MarkRoute(.selected(list.filter), mark)
  }
}
