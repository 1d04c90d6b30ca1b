public import NewsCore

/// Among which unread items the next one is looked for, and in which order.
public struct NextItemRoute: Hashable, Sendable {
  public var filter: ItemFilter
  public var order: ItemOrder

  public init(filter: ItemFilter, order: ItemOrder = .newest) {
    self.filter = filter
    self.order = order
  }
}
