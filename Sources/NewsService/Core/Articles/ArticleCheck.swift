/// Decides whether the text of a page may replace the feed's own text.
public enum ArticleCheck {
  /// Minimum bytes of an article's text; a shorter text is a wall or a stub.
  static let fewestBytes = 250

  /// Returns the reason for refusing an article; nil if it is accepted. `feedBytes`: the length of the feed's own text.
  /// `isChosen`: the user's selector chose the content, which is then trusted to be the article.
  public static func refusal(of article: PageArticle, feedBytes: Int, isChosen: Bool) -> String? {
    if !isChosen {
      if article.text.utf8.count < fewestBytes { return "the page has too little text" }
      let findings = [article.isExcerptFound, article.isTitleFound].compactMap { $0 }
      if !findings.isEmpty, !findings.contains(true) {
        return "neither the feed's text nor the title occurs in the page's text"
      }
    }
    guard article.text.utf8.count > feedBytes else {
      return "the page's text is not longer than the feed's"
    }
    return nil
  }

  /// The longest time in seconds until a page that was refused is looked at again.
  public static let longestDelay: Int64 = 4 * 3600

  /// Returns the seconds to wait for the next attempt after `attempts` failures; nil: no further attempt.
  public static func delay(afterFailures attempts: Int) -> Int64? {
    switch attempts {
    case ...1: 15 * 60
    case 2: longestDelay
    default: nil
    }
  }

  /// True for a status that may change: a server that is busy or being repaired, or a wall.
  static func mayBeTemporary(_ status: Int) -> Bool {
    switch status {
    case 401, 402, 403, 408, 425, 429, 500...: true
    default: false
    }
  }
}
