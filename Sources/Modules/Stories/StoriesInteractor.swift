public import NewsCore

/// Lists the other items about the same story as an item.
public struct StoriesInteractor: Interactor {
  private let stories: any StoryReading
  private let presenter: StoriesPresenter

  /// Maximum number of items that a page shows.
  private static let limit = 50

  public init(stories: any StoryReading, presenter: StoriesPresenter) {
    self.stories = stories
    self.presenter = presenter
  }

  public func respond(to id: NewsItem.ID, emit: @escaping Emit<StoriesViewModel>) async throws {
    try emit(presenter.present(try await stories.itemsOfStory(of: id, limit: Self.limit)))
  }
}
