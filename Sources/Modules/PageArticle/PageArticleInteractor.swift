public import NewsCore

/// Finds the article of a web page.
public struct PageArticleInteractor: Interactor {
  private let articles: any ArticleExtracting
  private let read: FileReading
  private let presenter = PageArticlePresenter()

  public init(articles: any ArticleExtracting, read: @escaping FileReading) {
    self.articles = articles
    self.read = read
  }

  public func respond(to route: PageArticleRoute, emit: @escaping Emit<PageArticleViewModel>) async throws {
    let page = route.page.document(try read(route.page.path))
    let article = try articles.article(inPage: page, hints: ArticleHints(excerpt: route.excerpt))
    try emit(presenter.present(article))
  }
}
