public import NewsCore

/// The article of a page.
public struct PageArticleViewModel: ScreenContent {
  public var article: PageArticle
  public var rowCount: Int { 1 }
}
