import NewsCore
import NewsToolbox

/// Extracts the article of one page. Makes several attempts with different rules.
struct ArticleExtraction: ~Copyable {
  /// Minimum number of letters of an article.
  private static let fewestLetters = 25
  /// If an attempt finds less text than this, the search is repeated with fewer rules.
  private static let enoughLetters = 250

  private var finder: ArticleFinder
  private let metadata: PageMetadata
  private let base: BaseURL?
  private var sanitizer = HTMLSanitizer()
  private var html = ""
  private var text = ""
  private var letters = 0
  private var isSelectorUnmatched = false
  private var match: ExcerptMatch?
  private var nextPage: String?

  init(_ finder: consuming ArticleFinder, metadata: PageMetadata, base: BaseURL?) {
    self.finder = finder
    self.metadata = metadata
    self.base = base
  }

  mutating func run(_ hints: ArticleHints, _ selectors: PageSelectors) {
    match = hints.excerpt.flatMap { ExcerptMatch(Self.line($0)) }
    finder.begin()
    if !selectors.isEmpty {
      let matches = selectors.matches(finder.elements, count: finder.count, page: finder.page)
      nextPage = matches.next.flatMap { URLResolver.resolve($0, against: base, policy: .link) }
      for index in matches.remove { finder.leaveOut(index) }
      if !matches.content.isEmpty {
        let finding = finder.measure(matches.content)
        write(finding)
        return
      }
      isSelectorUnmatched = selectors.hasContent
      finder.keepsRemoved(matches.remove)
    }
    let best = search()
    if let best { write(best) }
    lookAroundExcerpt(best)
    useLinkedData()
  }

  /// Returns the best finding. If a search with all rules finds little text, searches with fewer rules, which must
  /// find at least 1.5 times as much text.
  private mutating func search() -> ArticleFinder.Finding? {
    var best: (finding: ArticleFinder.Finding, rules: ArticleFinder.Rules)?
    var last: ArticleFinder.Rules?
    for rules in [ArticleFinder.Rules.all, [.weights, .cleaning], [.cleaning], []] {
      if rules.isEmpty, best != nil { break }
      last = rules
      guard let finding = finder.find(rules) else { continue }
      if best.map({ finding.letters * 2 > $0.finding.letters * 3 }) ?? true { best = (finding, rules) }
      if let found = best?.finding, found.letters >= Self.enoughLetters, found.prose * 5 >= finder.ownProse {
        break
      }
    }
    guard let best, best.rules != last else { return best?.finding }
    // Repeat the best attempt, because the table contains the marks of the last attempt.
    return finder.find(best.rules) ?? best.finding
  }

  private mutating func write(_ finding: ArticleFinder.Finding) {
    var markup = ArticleMarkup(finder.elements, out: finder.out, page: finder.page)
    for index in finding.elements { markup.append(index) }
    let result = sanitizer.sanitize(markup.html.bytes, against: base)
    html = result.html
    text = result.text
    letters = finding.letters
  }

  // MARK: Checks against the item

  /// Converts the feed's text to one line of plain text.
  private static func line(_ excerpt: String) -> String {
    var plain = HTMLPlainText()
    return plain.line(ofHTML: excerpt)
  }

  /// Looks for the article around the excerpt if the page contains the excerpt but the article found does not.
  private mutating func lookAroundExcerpt(_ finding: ArticleFinder.Finding?) {
    guard let match, !match.isFound(in: text) else { return }
    guard let place = finder.block(with: match), let around = finder.findAround(place) else { return }
    guard around.letters * 2 >= letters else { return }
    let before = (html, text, letters)
    write(around)
    if !match.isFound(in: text) { (html, text, letters) = before }
  }

  /// Uses the text of JSON-LD, which usually lacks markup, only if the page itself has much less.
  private mutating func useLinkedData() {
    guard let body = metadata.linked.body, body.utf8.count > Self.enoughLetters,
      body.utf8.count * 2 > text.utf8.count * 3
    else { return }
    var markup = ByteBuffer(capacity: body.utf8.count + 256)
    // The text contains markup from some publishers, and character references from others.
    for line in body.utf8.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
      markup.append("<p>")
      markup.append(String(streamSafe: line))
      markup.append("</p>\n")
    }
    let result = sanitizer.sanitize(markup.bytes, against: base)
    html = result.html
    text = result.text
    letters = text.utf8.count
  }

  // MARK: The result

  mutating func result(
    _ names: PageNames,
    _ hints: ArticleHints,
    _ selectors: PageSelectors
  ) -> Result<PageArticle, ArticleRefusal> {
    if PageWall.isWall(title: metadata.title, letters: letters) { return .failure(.wall) }
    let isChosen = selectors.hasContent && !isSelectorUnmatched
    guard letters >= (isChosen ? 1 : Self.fewestLetters), !text.isEmpty else { return .failure(.noArticle) }
    return .success(
      PageArticle(
        title: names.title,
        byline: names.byline,
        published: names.published,
        html: html,
        text: text,
        isExcerptFound: hints.excerpt == nil ? nil : match?.isFound(in: text) ?? false,
        isTitleFound: hints.title.map { Self.isFound($0, names, text) },
        nextPage: nextPage,
        isPaid: metadata.linked.isPaid,
        isSelectorUnmatched: isSelectorUnmatched
      )
    )
  }

  private static func isFound(_ title: String, _ names: PageNames, _ text: String) -> Bool {
    let folded = ArticleTitle.folded(line(title))
    guard !folded.isEmpty else { return false }
    if names.titles.contains(where: {
      $0.contains(bytesOf: folded) || folded.contains(bytesOf: $0) && $0.utf8.count > 12
    }) {
      return true
    }
    return ExcerptMatch(line(title))?.isFound(in: text) ?? false
  }
}

/// Recognizes pages that are shown instead of the article: bot checks, consent forms and errors.
enum PageWall {
  private static let phrases = [
    "just a moment", "access denied", "access to this page has been denied", "before you continue",
    "are you a robot", "are you human", "attention required", "verify you are human",
    "checking your browser", "pardon our interruption", "please enable js", "ddos-guard", "security check",
    "robot check", "403 forbidden", "404 not found", "page not found", "service unavailable",
    "too many requests", "bitte bestätigen sie", "zustimmung erforderlich",
  ]

  /// Returns true if the page's title is typical of such a page and the extracted text is short. `letters` is the
  /// length of the text.
  static func isWall(title: String?, letters: Int) -> Bool {
    guard letters < 1_500, let title, title.utf8.count < 120 else { return false }
    let lower = title.lowercased()
    return phrases.contains { lower.hasPrefix(bytesOf: $0) }
  }
}
