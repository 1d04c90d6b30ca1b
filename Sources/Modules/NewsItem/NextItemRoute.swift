public import NewsCore

/// The filter and the order that choose the next unread item.
public struct NextItemRoute: Hashable, Sendable {
  public var filter: ItemFilter
  public var order: ItemOrder

  public init(filter: ItemFilter, order: ItemOrder = .newest) {
    self.filter = filter
    self.order = order
  }
}
