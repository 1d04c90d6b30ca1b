import NewsToolbox

/// The meanings that the words of a class or id suggest for an element.
struct NameMeaning: OptionSet {
  let rawValue: UInt16

  /// The name suggests content that is usually not part of an article: menus, comments, sharing, advertising.
  static let bad = NameMeaning(rawValue: 1)
  /// The name suggests a part of an article, even if the name also has a bad word.
  static let good = NameMeaning(rawValue: 1 << 1)
  static let comments = NameMeaning(rawValue: 1 << 2)
  /// The name raises the score.
  static let positive = NameMeaning(rawValue: 1 << 3)
  /// The name lowers the score.
  static let negative = NameMeaning(rawValue: 1 << 4)
  /// The name is typical of an article's text: `entry-content`.
  static let container = NameMeaning(rawValue: 1 << 5)
  static let byline = NameMeaning(rawValue: 1 << 6)
  /// The name suggests footnotes, which are kept even if the name has other words.
  static let footnotes = NameMeaning(rawValue: 1 << 7)
  /// The name suggests a summary paragraph before the text.
  static let lead = NameMeaning(rawValue: 1 << 9)
  /// The name suggests advertising, sharing or a sign-up form, which are removed even if the name also has a good
  /// word.
  static let clutter = NameMeaning(rawValue: 1 << 8)
}

/// Looks for words in classes and ids. Immutable after the first use, hence safe to share.
///
/// A name is normalized first: letters become lower case, each run of other characters becomes a hyphen, and hyphens
/// are added at both ends and before each capital within a word. So `relatedPosts` and `related__posts` both become
/// `-related-posts-`, and a hyphen in the lists matches the edge of a word.
struct NameMatcher: @unchecked Sendable {
  static let shared = NameMatcher()

  private static let symbols = 27
  /// Maximum length of a name; longer names are truncated.
  private static let longestName = 400
  private let next: UnsafePointer<UInt16>
  private let meanings: UnsafePointer<NameMeaning>

  private init() {
    var next = [UInt16](repeating: 0, count: Self.symbols)
    var meanings: [NameMeaning] = [[]]
    for (meaning, list) in Self.lists {
      for word in list.split(ascii: " ") {
        var state = 0
        for byte in word.utf8 {
          let slot = state * Self.symbols + Self.symbol(byte)
          if next[slot] == 0 {
            next[slot] = UInt16(meanings.count)
            next += [UInt16](repeating: 0, count: Self.symbols)
            meanings.append([])
          }
          state = Int(next[slot])
        }
        meanings[state].formUnion(meaning)
      }
    }
    let table = UnsafeMutablePointer<UInt16>.allocate(capacity: next.count)
    table.initialize(from: next, count: next.count)
    self.next = UnsafePointer(table)
    let values = UnsafeMutablePointer<NameMeaning>.allocate(capacity: meanings.count)
    values.initialize(from: meanings, count: meanings.count)
    self.meanings = UnsafePointer(values)
  }

  /// Returns the automaton's symbol for a byte; 0 for bytes that are not letters.
  @inline(__always)
  private static func symbol(_ byte: UInt8) -> Int {
    ASCII.isLetter(byte) ? Int(byte | 0x20) - Int(UInt8(ascii: "a")) + 1 : 0
  }

  /// The union of the meanings of the words in `name`.
  func meaning(of name: UnsafeBufferPointer<UInt8>) -> NameMeaning {
    guard !name.isEmpty else { return [] }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.longestName * 2 + 2) { plain in
      var count = 1
      plain[0] = 0
      var previous: UInt8 = 0
      for byte in name.prefix(Self.longestName) {
        let symbol = UInt8(truncatingIfNeeded: Self.symbol(byte))
        let isCapital = byte &- UInt8(ascii: "A") < 26
        let followsSmall = previous &- UInt8(ascii: "a") < 26
        if plain[count &- 1] != 0, symbol == 0 || isCapital && followsSmall {
          plain[count] = 0
          count &+= 1
        }
        if symbol != 0 {
          plain[count] = symbol
          count &+= 1
        }
        previous = byte
      }
      if plain[count &- 1] != 0 {
        plain[count] = 0
        count &+= 1
      }
      var result: NameMeaning = []
      for first in 0..<count {
        var state = 0
        var position = first
        while position < count {
          state = Int(next[state &* Self.symbols &+ Int(plain[position])])
          if state == 0 { break }
          result.formUnion(meanings[state])
          position &+= 1
        }
      }
      return result
    }
  }

  private static let lists: [(NameMeaning, String)] = [
    (
      .bad,
      """
      -ad- -ads- advert adsense -adbox banner breadcrumb -combx comment- comments community- cookie consent gdpr disqus \
      -extra- footer header- legends- menu -nav- navbar navigation pager- pagination popup -modal- related remark replies \
      -respond- -rss- sharedaddy share- sharing shoutbox sidebar skyscraper social sponsor supplemental subscribe \
      newsletter sign-up- signup recommend tag-cloud -tags- -toolbar trending popular most-read outbrain taboola agegate \
      -login print- -skip- -promo -read-more- -read-next -more-from -up-next
      """
    ),
    (.good, "article -body- content -main- column- -shadow- -entry -hentry- -story-"),
    (
      [.comments, .bad],
      "-comment- -comments- commentlist comment-list disqus -respond- -replies- comments-area"
    ),
    (
      .positive,
      "article -body content entry -main -page- -post- -text- -blog story postbody posttext copy- prose-"
    ),
    (
      .negative,
      """
      hidden- banner combx comment -com- contact -foot- footer gdpr masthead -media- -meta- outbrain promo related \
      scroll- share shoutbox sidebar skyscraper sponsor shopping -tags- -tool widget -nav- -menu- teaser- recommend \
      newsletter
      """
    ),
    (
      .container,
      """
      article-body articlebody article-content articlecontent article-text articletext entry-content entrycontent \
      entry-body entry-text post-content postcontent post-body postbody post-text posttext story-body storybody \
      story-content storycontent story-text storytext news-text newstext news-content news-body article-main \
      content-body blog-content article-copy article-copy body-copy bodycopy
      """
    ),
    (.byline, "-byline -author- -dateline- written-by -writer-"),
    (
      .lead,
      """
      -lead- -intro- teaser-text subtitle standfirst -chapo -dek- -excerpt- -summary- -abstract- vorspann -bajada- \
      -leader- -lede- -subline- -sapo- -ingress-
      """
    ),
    (.footnotes, "footnote endnote -fn- -references-"),
    (
      .clutter,
      """
      -ad- -ads- advert share- sharing sharedaddy -social newsletter subscribe signup sign-up outbrain taboola \
      related- -recommend breadcrumb -tags- -promo- pagination read-more- -print-
      """
    ),
  ]
}
