/// Decides whether the text of a page may replace the feed's own text.
public enum ArticleCheck {
  /// Bytes of a text that may be an article; less is a wall or a stub.
  static let fewestBytes = 250

  /// Why the article is refused; nil when it is accepted.
  ///
  /// - Parameters:
  ///   - article: The article of the page.
  ///   - feedText: The feed's own text.
  ///   - isChosen: The user's selector chose the content, which is believed to be the article.
  /// - Returns: The reason.
  public static func refusal(of article: PageArticle, feedText: String, isChosen: Bool) -> String? {
    if !isChosen {
      if article.text.utf8.count < fewestBytes { return "the page has too little text" }
      let findings = [article.isExcerptFound, article.isTitleFound].compactMap { $0 }
      if !findings.isEmpty, !findings.contains(true) {
        return "neither the feed's text nor the title occurs in the page's text"
      }
    }
    guard article.text.utf8.count > feedText.utf8.count else {
      return "the page's text is not longer than the feed's"
    }
    return nil
  }

  /// Seconds until the next attempt after so many that failed; nil: no more.
  public static func delay(afterFailures attempts: Int) -> Int64? {
    switch attempts {
    case ...1: 15 * 60
    case 2: 4 * 3600
    default: nil
    }
  }

  /// True for a status that may be another one later: of a busy or repaired server, and of a wall.
  static func mayBeTemporary(_ status: Int) -> Bool {
    switch status {
    case 401, 402, 403, 408, 425, 429, 500...: true
    default: false
    }
  }
}
