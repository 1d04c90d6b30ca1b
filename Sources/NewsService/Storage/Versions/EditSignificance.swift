import NewsService

/// Tells edits from noise: white space, counters and advertisements change at every fetch, and nobody wants a version of
/// each.
enum EditSignificance {
  /// Words that must change in a text; fewer are a corrected slip.
  private static let minimumWords = 3

  static func isSignificant(title: String, text: String, newTitle: String, newText: String) -> Bool {
    let titles = Difference(words(title), words(newTitle))
    if titles.words > 0 || titles.figures > 0 { return true }
    let texts = Difference(words(text), words(newText))
    return texts.words >= minimumWords || texts.figures > 0
  }

  /// What two texts do not share, without regard to order.
  private struct Difference {
    var words = 0
    var figures = 0

    init(_ old: [String], _ new: [String]) {
      guard old != new else { return }
      var counts: [String: Int] = [:]
      for word in old { counts[word, default: 0] += 1 }
      for word in new { counts[word, default: 0] -= 1 }
      var removed = (words: 0, figures: 0)
      var added = (words: 0, figures: 0)
      for (word, count) in counts where count != 0 {
        let isFigure = word.utf8.allSatisfy { $0 < 0x41 }
        if count > 0 {
          if isFigure { removed.figures += count } else { removed.words += count }
        } else {
          if isFigure { added.figures -= count } else { added.words -= count }
        }
      }
      words = max(removed.words, added.words)
      figures = max(removed.figures, added.figures)
    }
  }

  /// The words of the lines that belong to the item; figures beside a word of counting are left out.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    for line in text.split(whereSeparator: \.isNewline) {
      let own = WordTokenizer.tokens(of: String(line), mode: .document).filter { !$0.isColocated }.map(\.text)
      if own.count <= 40, own.contains(where: notices.contains) { continue }
      for (place, word) in own.enumerated() {
        let isFigure = word.utf8.allSatisfy { $0 < 0x41 }
        let before = place > 0 ? own[place - 1] : ""
        let after = place + 1 < own.count ? own[place + 1] : ""
        if isFigure, counters.contains(before) || counters.contains(after) { continue }
        words.append(word)
      }
    }
    return words
  }

  /// Short lines with one of these are about the page, not the story.
  private static let notices: Set<String> = [
    "advertisement", "advertisements", "sponsored", "sponsor", "promoted", "anzeige", "werbung", "publicite",
    "publicidad", "реклама", "广告", "newsletter", "subscribe", "subscription",
  ]

  private static let counters: Set<String> = [
    "comment", "comments", "view", "views", "like", "likes", "share", "shares", "vote", "votes", "point",
    "points",
    "read", "reads", "reply", "replies", "retweets", "reposts", "follower", "followers", "minute", "minutes",
    "hour", "hours", "day", "days", "ago", "kommentar", "kommentare", "commentaires", "comentarios", "score",
  ]
}
