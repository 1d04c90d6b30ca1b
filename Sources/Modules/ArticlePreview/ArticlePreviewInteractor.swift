public import NewsCore

/// Tries a feed's settings for articles on its newest items. Stores nothing.
public struct ArticlePreviewInteractor: Interactor {
  private let feeds: any FeedReading
  private let preview: ArticlePreview
  private let presenter = ArticlePreviewPresenter()

  public init(feeds: any FeedReading, preview: ArticlePreview) {
    self.feeds = feeds
    self.preview = preview
  }

  public func respond(to route: ArticlePreviewRoute, emit: @escaping Emit<ArticlePreviewViewModel>)
    async throws
  {
    let feed = try await feeds.feed(named: route.feed)
    try emit(.loading(Progress("fetching pages")))
    try emit(presenter.present(try await preview.entries(of: feed.id, limit: route.limit)))
  }
}
