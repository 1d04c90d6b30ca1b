public import NewsCore

/// Where the change log leads.
public struct ChangesRouter: Sendable {
  public init() {}

  /// To the item or feed that has changed; nil when it is gone.
  public func open(_ entry: LogEntry) -> Route? {
    switch entry {
    case .item(let change): change.item == nil ? nil : Route.items([change.itemID])
    case .feed(let change):
      change.feed == nil ? nil : Route.list(ListRoute(filter: ItemFilter(feedID: change.feedID)))
    }
  }
}
