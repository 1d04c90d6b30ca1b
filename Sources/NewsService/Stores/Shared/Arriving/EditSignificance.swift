import NewsSearch
import NewsToolbox

/// Distinguishes edits from noise. White space, counters and advertisements may change at every fetch; such changes do
/// not need a new version.
package enum EditSignificance {
  package static func isSignificant(title: String, text: String, newTitle: String, newText: String) -> Bool {
    digest(title) != digest(newTitle) || digest(text) != digest(newText)
  }

  /// Returns a hash of the words of the text in order, without short lines about the page and without counts such as "12
  /// comments". All other words are compared, because a single "not" can reverse a report.
  ///
  /// The words are hashed as they are found: as arrays, those of a text of some megabytes would take fifty times its size.
  private static func digest(_ text: String) -> Int {
    var words = ComparedWords()
    text.withBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        WordTokenizer.tokenize(UnsafeBufferPointer(rebasing: rest[..<end]), mode: .document) { token in
          if !token.isColocated { words.add(String(decoding: token.bytes, as: UTF8.self)) }
          return true
        }
        words.endLine()
        rest = rest[end...].dropFirst()
      }
    }
    return words.digest
  }
}

/// Hashes the words of a text that count for a comparison. Memory does not depend on the length of the text.
private struct ComparedWords {
  /// The words kept so far but for `last`.
  private var kept = Hasher()
  /// The last word that was kept of the line. A count after it can remove it.
  private var last: String?
  /// A count may consist of several numbers: "1,245 views". While it is read: `kept`, `last` and its numbers.
  private var keptWithFigures: Hasher?
  /// The words of the line, until it is too long for a notice.
  private var line: [String] = []
  private var isLong = false

  var digest: Int { kept.finalize() }

  /// Adds the next word of the line.
  mutating func add(_ word: String) {
    guard !isLong else { return keep(word, isShortLine: false) }
    line.append(word)
    guard line.count > Self.noticeLength else { return }
    isLong = true
    for word in line { keep(word, isShortLine: false) }
  }

  mutating func endLine() {
    if !isLong, !line.contains(where: Self.notices.contains) {
      for word in line { keep(word, isShortLine: line.count <= Self.counterLineLength) }
    }
    endCount(isShortLine: !isLong && line.count <= Self.counterLineLength)
    keepLast()
    line.removeAll(keepingCapacity: true)
    isLong = false
  }

  private mutating func keep(_ word: String, isShortLine: Bool) {
    if Self.isFigure(word) {
      if keptWithFigures == nil {
        keptWithFigures = kept
        if let last { keptWithFigures?.combine(last) }
      }
      keptWithFigures?.combine(word)
      return
    }
    if keptWithFigures != nil, Self.isCounter(word, isShortLine) {
      keptWithFigures = nil
      return
    }
    endCount(isShortLine: isShortLine)
    keepLast()
    last = word
  }

  /// Ends a run of numbers that no counted word follows. It is a count if the counted word precedes it.
  private mutating func endCount(isShortLine: Bool) {
    guard let withFigures = keptWithFigures else { return }
    keptWithFigures = nil
    if last.map({ Self.isCounter($0, isShortLine) }) != true { kept = withFigures }
    last = nil
  }

  private mutating func keepLast() {
    if let last { kept.combine(last) }
    last = nil
  }

  private static func isFigure(_ word: String) -> Bool { word.utf8.allSatisfy { $0 < UInt8(ascii: "A") } }

  private static func isCounter(_ word: String, _ isShortLine: Bool) -> Bool {
    counters.contains(word) || isShortLine && ambiguousCounters.contains(word)
  }

  /// Number of words up to which a line can be about the page.
  private static let noticeLength = 40

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
