public import NewsCore

/// A search: the words as typed, and the list they are looked up in.
public struct SearchRoute: Hashable, Sendable {
  public var text: String
  public var list: ListRoute

  public init(text: String, list: ListRoute = ListRoute(order: .relevance)) {
    self.text = text
    self.list = list
  }
}
