public import NewsCore

/// Lists the folders, including their parent folders.
public struct FoldersInteractor: Interactor {
  private let feeds: any FeedReading
  private let presenter = FoldersPresenter()

  public init(feeds: any FeedReading) {
    self.feeds = feeds
  }

  public func respond(to request: Void, emit: @escaping Emit<FoldersViewModel>) async throws {
    try emit(presenter.present(try await feeds.feeds()))
  }
}
