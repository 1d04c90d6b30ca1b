import NewsCore
import Synchronization

/// Reads and presents the items of a list or search: a page, or all in batches.
struct HeadlinePages: Sendable {
  let news: any ItemReading
  let filters: FilterResolver
  let presenter: NewsListPresenter

  /// Items per batch when a route asks for all; as many as a store reads in one snapshot, so that it need not divide them.
  private static let batchSize = 500

  /// Emits the items that `query` selects, as the route's extent says; the route's filter and order are ignored.
  /// Without `isCounted`, the total of a full page is the number of items up to its end.
  func read(
    _ route: ListRoute,
    _ query: Query,
    order: ItemOrder,
    isCounted: Bool,
    emit: Emit<NewsListViewModel>
  ) async throws {
    var request = route.request(query, order: order, parts: presenter.parts)
    switch route.extent {
    case .page(let number, let size):
      request.offset = (number - 1) * size
      request.limit = size
      let items = try await news.items(request)
      var page = PageInfo(number: number, size: size, total: request.offset + items.count)
      // Counting visits every hit, and with folded stories every item. Count only if the total is shown, and only
      // after a full page or an empty later one: other pages give the total themselves.
      if presenter.showsTotal, items.count == size && isCounted || items.isEmpty && request.offset > 0 {
        page.total = try await news.count(request)
      }
      if items.isEmpty, try await filters.hasNoFeeds() { return try emit(presenter.noFeeds()) }
      page.isContinued = route.continuing != nil
      page.isByTime = order != .relevance
      try emit(presenter.present(items, page))
    case .portion(let first, let size, let bytes):
      request.offset = first
      request.limit = size
      request.bytes = bytes
      let items = try await news.items(request)
      if items.isEmpty, try await filters.hasNoFeeds() { return try emit(presenter.noFeeds()) }
      try emit(presenter.present(items, first: first + 1, isLast: true))
    case .all:
      let presenter = presenter
      let seen = ConcurrentCounter()
      try await news.forEachBatch(request, of: Self.batchSize) { items in
        try emit(presenter.present(items, first: seen.add(items.count) + 1, isLast: false))
        return true
      }
      if seen.value == 0, try await filters.hasNoFeeds() { return try emit(presenter.noFeeds()) }
      try emit(presenter.present([], first: seen.value + 1, isLast: true))
    }
  }
}

/// A counter that a concurrent batch callback can increment.
final class ConcurrentCounter: Sendable {
  private let number = Mutex(0)

  var value: Int { number.withLock { $0 } }

  /// Adds `more` and returns the previous value.
  @discardableResult
  func add(_ more: Int) -> Int {
    number.withLock { number in
      defer { number += more }
      return number
    }
  }
}
