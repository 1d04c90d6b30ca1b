public import NewsCore
import NewsSyndication

/// Validates CSS selectors in settings.
public enum SelectorWords {
  /// What is wrong with a list of selectors; nil when it can be used.
  public static func problem(in text: String) -> SelectorProblem? {
    ArticleExtractor().problem(inSelectors: text)
  }
}
