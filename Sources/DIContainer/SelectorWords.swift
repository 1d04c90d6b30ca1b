public import NewsCore
import NewsSyndication

/// Validates CSS selectors in settings.
public enum SelectorWords {
  /// The problem in a list of selectors; nil if it is valid.
  public static func problem(in text: String) -> SelectorProblem? {
    ArticleExtractor().problem(inSelectors: text)
  }
}
