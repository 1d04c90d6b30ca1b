public import NewsCore

/// A part of the change log.
public struct StoreChanges: Sendable {
  /// The entries; nil: screens must be read again, because the entries are too many or a mark was not
  /// written.
  public var entries: [LogEntry]?

  public init(entries: [LogEntry]?) { self.entries = entries }

  /// The items that were removed.
  var removed: Set<NewsItem.ID> {
    Set(
      (entries ?? []).compactMap { entry in
        if case .item(let change) = entry, change.item == nil { change.itemID } else { nil }
      }
    )
  }

  /// The changed items that still exist, in their current state.
  var items: [NewsItem.ID: NewsItem] {
    var items: [NewsItem.ID: NewsItem] = [:]
    for case .item(let change) in entries ?? [] {
      if let item = change.item { items[change.itemID] = item }
    }
    return items
  }

  func merged(with later: StoreChanges) -> StoreChanges {
    guard let entries, let more = later.entries else { return StoreChanges(entries: nil) }
    return StoreChanges(entries: entries + more)
  }
}
