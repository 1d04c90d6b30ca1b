public import NewsCore

/// A search: the query as typed, and the filter, order and extent of its results.
public struct SearchRoute: Hashable, Sendable {
  public var text: String
  public var list: ListRoute

  public init(text: String, list: ListRoute = ListRoute(order: .relevance)) {
    self.text = text
    self.list = list
  }
}
