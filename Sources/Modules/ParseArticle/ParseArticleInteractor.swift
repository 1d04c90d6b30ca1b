public import NewsCore

/// Finds the article of a web page.
public struct ParseArticleInteractor: Interactor {
  private let articles: any ArticleExtracting
  private let read: FileReading

  public init(articles: any ArticleExtracting, read: @escaping FileReading) {
    self.articles = articles
    self.read = read
  }

  /// Finds the article. `excerpt` is the text that a feed gives for it; the answer says whether the article
  /// contains it.
  public func respond(
    to request: (page: DocumentSource, excerpt: String?),
    emit: @escaping Emit<ParseArticleViewModel>
  ) async throws {
    let page = request.page.document(try read(request.page.path))
    let article = try articles.article(inPage: page, hints: ArticleHints(excerpt: request.excerpt))
    try emit(.ready(ParseArticleViewModel(article: article)))
  }
}

/// The article of a page.
public struct ParseArticleViewModel: ScreenContent {
  public var article: PageArticle
  public var rowCount: Int { 1 }
}
