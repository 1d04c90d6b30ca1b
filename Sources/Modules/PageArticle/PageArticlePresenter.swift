import NewsCore

/// Passes the article on unchanged.
struct PageArticlePresenter: Presenting {
  typealias ViewModel = PageArticleViewModel

  func present(_ article: PageArticle) -> Container<PageArticleViewModel> {
    .ready(PageArticleViewModel(article: article))
  }
}
