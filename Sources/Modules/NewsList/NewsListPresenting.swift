public import NewsCore

/// Makes a list's view model. There are two: lines and bars.
public protocol NewsListPresenting: Presenting {
  var interest: NewsListInterest { get }
  /// True: the reader is told how many items there are in all.
  var showsTotal: Bool { get }
  func present(_ response: NewsListResponse) -> Container<ViewModel>
}

/// The interactor's answer.
public enum NewsListResponse: Sendable {
  case page([ItemMatch], PageInfo)
  /// The next items of a list without pages; `first` is the ordinal of the first of them.
  case part([ItemMatch], first: Int, isLast: Bool)
  case activity([DayCount])
  /// There is nothing to list before the first subscription.
  case noFeeds
}

/// The data that a presenter needs, so that no other is read from the store.
public enum NewsListInterest: Hashable, Sendable {
  case items(ItemParts)
  case activity
}
