public import NewsCore

/// Lists the other items about the same story as an item.
public struct StoriesInteractor: Interactor {
  private let stories: any ItemReading
  private let times: TimeDisplay
  /// Maximum number of items that a page shows.
  private static let limit = 50

  public init(stories: any ItemReading, times: TimeDisplay) {
    self.stories = stories
    self.times = times
  }

  public func respond(to id: NewsItem.ID, emit: @escaping Emit<NewsListViewModel>) async throws {
    let items = try await stories.itemsOfStory(of: id, limit: Self.limit).map { ItemMatch(item: $0) }
    let headlines = HeadlinePresenter(times: times)
    try emit(.ready(NewsListViewModel(lines: headlines.lines(items, first: 1))))
  }
}
