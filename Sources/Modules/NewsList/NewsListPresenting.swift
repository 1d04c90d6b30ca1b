public import NewsCore

/// Presents a list. There are two implementations: lines and bars.
public protocol NewsListPresenting: Presenting {
  var needs: NewsListNeeds { get }
  /// True: the view shows the total number of items.
  var showsTotal: Bool { get }
  func present(_ response: NewsListResponse) -> Container<ViewModel>
}

/// The data that the interactor read, for the presenter.
public enum NewsListResponse: Sendable {
  case page([ItemMatch], PageInfo)
  /// The next items of a list without pages; `first` is the ordinal of the first one.
  case part([ItemMatch], first: Int, isLast: Bool)
  case activity([DayCount])
  /// There are no subscriptions yet.
  case noFeeds
}

/// The data that a presenter needs; nothing else is read from the store.
public enum NewsListNeeds: Hashable, Sendable {
  case items(ItemParts)
  case activity
}
