public import NewsCore

/// Routes out of the change log.
public struct ChangesRouter: Sendable {
  public init() {}

  /// The route to the changed item or feed; nil if it was removed.
  public func open(_ entry: LogEntry) -> Route? {
    switch entry {
    case .item(let change): change.item == nil ? nil : Route.items([change.itemID])
    case .feed(let change):
      change.feed == nil ? nil : Route.list(ListRoute(filter: ItemFilter(feedID: change.feedID)))
    }
  }
}
