import NewsSearch

/// Distinguishes edits from noise. White space, counters and advertisements may change at every fetch; such changes do
/// not need a new version.
package enum EditSignificance {
  package static func isSignificant(title: String, text: String, newTitle: String, newText: String) -> Bool {
    words(title) != words(newTitle) || words(text) != words(newText)
  }

  /// Returns the words of the text in order, without short lines about the page and without counts such as "12
  /// comments". All other words are compared, because a single "not" can reverse a report.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    for line in text.split(whereSeparator: \.isNewline) {
      let own = WordTokenizer.tokens(of: String(line), mode: .document).filter { !$0.isColocated }.map(\.text)
      if own.count <= 40, own.contains(where: notices.contains) { continue }
      words += withoutCounts(own)
    }
    return words
  }

  /// Removes counts and the counted words. A count may consist of several numbers: "1,245 views".
  private static func withoutCounts(_ words: [String]) -> [String] {
    let isShort = words.count <= counterLineLength
    func isCounter(_ word: String) -> Bool {
      counters.contains(word) || isShort && ambiguousCounters.contains(word)
    }
    var kept: [String] = []
    var place = 0
    while place < words.count {
      guard isFigure(words[place]) else {
        kept.append(words[place])
        place += 1
        continue
      }
      var end = place
      while end < words.count, isFigure(words[end]) { end += 1 }
      if end < words.count, isCounter(words[end]) {
        place = end + 1
      } else if let last = kept.last, isCounter(last) {
        kept.removeLast()
        place = end
      } else {
        kept += words[place..<end]
        place = end
      }
    }
    return kept
  }

  private static func isFigure(_ word: String) -> Bool { word.utf8.allSatisfy { $0 < UInt8(ascii: "A") } }

  /// Words that mark a short line as being about the page, not the story.
  private static let notices: Set<String> = [
    "advertisement", "advertisements", "sponsored", "sponsor", "promoted", "anzeige", "werbung", "publicite",
    "publicidad", "реклама", "广告", "newsletter", "subscribe", "subscription",
  ]

  private static let counters: Set<String> = [
    "ago", "comment", "comments", "view", "views", "like", "likes", "share", "shares", "vote", "votes",
    "reply", "replies", "retweets", "reposts", "follower", "followers", "kommentar", "kommentare",
    "commentaires", "comentarios",
  ]

  /// Words that also occur with numbers in reports ("fell by 300 points"). They are treated as counters only in very
  /// short lines.
  private static let ambiguousCounters: Set<String> = [
    "point", "points", "score", "read", "reads", "minute", "minutes", "hour", "hours", "day", "days",
  ]
  private static let counterLineLength = 8
}
