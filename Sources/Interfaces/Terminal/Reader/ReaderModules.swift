public import Modules
public import NewsCore

/// Makes the modules that the reader shows; the configurator's side of the reader.
public protocol ReaderModules: Sendable {
  func subscriptions() throws -> any Interactor<SubscriptionsRoute, SubscriptionsViewModel>
  func list() throws -> any Interactor<ListRoute, NewsListViewModel>
  /// - Parameter remembers: True: the query goes into the history of searches.
  func search(remembers: Bool) throws -> any Interactor<SearchRoute, NewsSearchViewModel>
  func searchCount() throws -> any Interactor<SearchRoute, SearchCountViewModel>
  /// - Parameter marksRead: True: what is shown is marked read.
  func item(marksRead: Bool) throws -> any Interactor<[NewsItem.ID], NewsItemViewModel>
  func mark() throws -> any Interactor<MarkRoute, MarkViewModel>
  func changes() throws -> any Interactor<ChangesRoute, ChangesViewModel>
}
