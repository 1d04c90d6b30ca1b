public import NewsCore
import NewsToolbox

/// The data of an item that the search for stories compares.
public struct StoryCandidate: Hashable, Sendable {
  public var fingerprint: ItemFingerprint
  public let title: TitleWords
  public var feedID: Feed.ID
  /// The time by which lists sort the item: usually the earlier of its times published and stored.
  public var time: Timestamp

  public init(fingerprint: ItemFingerprint, title: String, feedID: Feed.ID, time: Timestamp) {
    self.fingerprint = fingerprint
    self.title = TitleWords(title)
    self.feedID = feedID
    self.time = time
  }
}

/// Decides whether two items tell the same story.
///
/// Precision is more important than recall: a missed match costs the reader a glance, but a wrong match hides a
/// story. Therefore every feature in which columns, series and releases differ counts as a difference: figures, dates,
/// distance in time, words of the title.
public enum StoryComparison {
  /// Two items of different feeds that link to different pages and are more than this many seconds apart can
  /// tell the same story only if both texts are long; more than `longSpan` apart, they never do.
  private static let shortSpan: Int64 = 12 * 3600
  private static let longSpan: Int64 = 3 * 86_400

  /// Makes a quick check without titles, feeds and times. If it returns false, `tellSameStory` is also false.
  public static func mayTellSameStory(_ a: ItemFingerprint, _ b: ItemFingerprint) -> Bool {
    if let url = a.url, url == b.url { return true }
    if a.lead != nil, a.lead == b.lead { return true }
    return a.distance(to: b) <= 6 && (a.figures == b.figures || a.similarity == b.similarity)
  }

  /// The keys by which an item that tells the same story can be found: without those of the text if title and text are
  /// so short that `tellSameStory` also requires the same URL.
  public static func searchKeys(of item: StoryCandidate) -> [Int64] {
    let print = item.fingerprint
    guard print.length < 80 else { return print.keys }
    let words = item.title.words.count
    guard words > 0 else { return [] }
    let needsText =
      print.length >= 40 || (print.length >= 30 && words >= 3) || (print.lead != nil && words >= 4)
      || words >= 6
    return needsText ? print.keys : print.keysOfURL
  }

  public static func tellSameStory(_ a: StoryCandidate, _ b: StoryCandidate) -> Bool {
    let titles = TitleComparison(a: a.title, b: b.title)
    guard titles.haveSameFigures else { return false }
    let span = a.time.distance(to: b.time)
    if a.feedID == b.feedID { return isRepeat(a, b, titles, span) }
    if let url = a.fingerprint.url, url == b.fingerprint.url {
      return isSamePage(a.fingerprint, b.fingerprint, titles, span)
    }
    return isSameText(a.fingerprint, b.fingerprint, titles, span)
  }

  /// True when one item of a feed repeats another exactly. Less does not suffice, because columns and series repeat
  /// titles and even texts.
  private static func isRepeat(
    _ a: StoryCandidate,
    _ b: StoryCandidate,
    _ titles: TitleComparison,
    _ span: Int64
  ) -> Bool {
    let (x, y) = (a.fingerprint, b.fingerprint)
    guard titles.areEqual, x.similarity == y.similarity, x.figures == y.figures, x.length == y.length else {
      return false
    }
    let isSamePage = x.url != nil && x.url == y.url
    return isSamePage ? span <= longSpan : span <= shortSpan && x.length >= 40
  }

  /// True when two items that link to the same page tell the same story. They do, unless the page changes or serves
  /// many items (downloads, a weekly show).
  private static func isSamePage(
    _ a: ItemFingerprint,
    _ b: ItemFingerprint,
    _ titles: TitleComparison,
    _ span: Int64
  ) -> Bool {
    guard span <= longSpan else {
      return titles.areEqual && a.length >= 80 && a.figures == b.figures && a.distance(to: b) <= 3
    }
    if titles.areEqual || titles.oneExtendsOther { return true }
    // Many items may link to the same page, for example all episodes of a show. Therefore one title must contain all
    // words of the other and the texts must be similar; or a long text is the same under different headlines.
    let isOneTitle = titles.oneContainsOther && titles.overlap >= 0.5
    let length = min(a.length, b.length)
    guard length >= 40 else { return isOneTitle }
    if isOneTitle { return a.distance(to: b) <= 10 || (a.lead != nil && a.lead == b.lead) }
    return length >= 80 && a.figures == b.figures && a.distance(to: b) <= 6
  }

  /// True when two items with different pages tell the same story: their titles and enough of their texts
  /// must agree. For long texts that are nearly equal, one common word of the titles suffices.
  private static func isSameText(
    _ a: ItemFingerprint,
    _ b: ItemFingerprint,
    _ titles: TitleComparison,
    _ span: Int64
  ) -> Bool {
    guard span <= longSpan else { return false }
    let length = min(a.length, b.length)
    let isLong = length >= 80
    guard span <= shortSpan || isLong else { return false }
    let isSameLead = a.lead != nil && a.lead == b.lead
    guard titles.areEqual || titles.oneExtendsOther else {
      // Several papers may print the same agency text under different headlines.
      return isLong && isSameLead && a.figures == b.figures && a.distance(to: b) <= 3 && titles.overlap > 0
    }
    guard titles.length >= 3 else { return false }
    if length >= 30, a.figures == b.figures, a.distance(to: b) <= 6 { return true }
    // One text is truncated: both start the same, and one is clearly shorter. Or it is slightly shorter (without the
    // author's note) and the rest is similar. Reports that differ in their facts, such as results or prices, have the
    // same length.
    let longer = max(a.length, b.length)
    let isCut = longer * 2 >= length * 3 || (isLong && longer * 10 >= length * 11 && a.distance(to: b) <= 12)
    if isSameLead, isCut, titles.length >= 4, span <= shortSpan { return true }
    return titles.areEqual && titles.length >= 6 && a.length == b.length && a.similarity == b.similarity
  }
}

/// The words at the beginning of a title, as hashes.
public struct TitleWords: Hashable, Sendable {
  /// The rest of a longer title is not compared, because a new item is compared with many.
  public static let maximumBytes = 512

  /// Number of bytes from which the words are.
  public let byteCount: Int
  fileprivate private(set) var words: [UInt64] = []
  /// The different words, sorted.
  fileprivate private(set) var distinct: [UInt64] = []
  /// The words with digits, and words that may number an instalment, such as days, months, seasons and Roman numerals;
  /// sorted.
  fileprivate private(set) var figures: [UInt64] = []

  public init(_ title: String) {
    byteCount = min(title.utf8.count, Self.maximumBytes)
    title.withBytes { bytes in
      _ = WordTokenizer.tokenize(UnsafeBufferPointer(rebasing: bytes.prefix(byteCount)), mode: .document) {
        token in
        if !token.isColocated { add(token.bytes) }
        return true
      }
    }
    figures.sort()
    for word in words.sorted() where word != distinct.last { distinct.append(word) }
  }

  private mutating func add(_ word: UnsafeBufferPointer<UInt8>) {
    let hash = FNV1a<UInt64>(word).value
    words.append(hash)
    if word.contains(where: ASCII.isDigit) || Self.ordinals.contains(hash) { figures.append(hash) }
  }

  private static let ordinals = Set(
    [
      "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii",
      "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
      "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
      "november",
      "december", "spring", "summer", "autumn", "winter", "morning", "evening",
      "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonnabend", "sonntag", "januar",
      "februar",
      "marz", "mai", "juni", "juli", "oktober", "dezember", "morgen", "abend",
      "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche",
      "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "alpha", "beta", "rc",
      "lts",
      "first", "second", "third", "fourth", "final",
    ].map { FNV1a<UInt64>($0.utf8).value }
  )
}

/// Compares the words of two titles.
private struct TitleComparison {
  let a: TitleWords
  let b: TitleWords

  /// Number of words in the shorter title.
  var length: Int { min(a.words.count, b.words.count) }

  var areEqual: Bool { a.words == b.words && !a.words.isEmpty }

  /// True when one title, of at least four words, is the other without its last one to four words, such as
  /// the name of a site.
  var oneExtendsOther: Bool {
    let (short, long) = a.words.count < b.words.count ? (a.words, b.words) : (b.words, a.words)
    let rest = long.count - short.count
    return short.count >= 4 && rest > 0 && rest <= 4 && long.starts(with: short)
  }

  var haveSameFigures: Bool { a.figures == b.figures }

  /// True when one title, of at least three words, has all its words in the other.
  var oneContainsOther: Bool {
    let count = min(a.distinct.count, b.distinct.count)
    return count >= 3 && common == count
  }

  /// Number of common words divided by the number of all words, 0 to 1.
  var overlap: Double {
    let common = common
    let all = a.distinct.count + b.distinct.count - common
    return all == 0 ? 0 : Double(common) / Double(all)
  }

  /// Number of different words that both titles have.
  private var common: Int {
    var (count, i, j) = (0, 0, 0)
    while i < a.distinct.count, j < b.distinct.count {
      let (x, y) = (a.distinct[i], b.distinct[j])
      if x == y { count += 1 }
      if x <= y { i += 1 }
      if y <= x { j += 1 }
    }
    return count
  }
}
