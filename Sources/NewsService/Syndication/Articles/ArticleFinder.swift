/// Finds the elements that hold a page's article.
///
/// The steps are those of Readability: exclude elements whose names suggest a menu, score paragraphs and add
/// their scores to the enclosing elements, choose the element with the highest score, examine its
/// surroundings and its content, and clean it.
struct ArticleFinder: ~Copyable {
  typealias Element = PageTable.Element

  /// The rules of an attempt. If names on the page mislead, another attempt uses fewer rules.
  struct Rules: OptionSet {
    let rawValue: UInt8
    static let names = Rules(rawValue: 1)
    static let weights = Rules(rawValue: 1 << 1)
    static let cleaning = Rules(rawValue: 1 << 2)
    static let all: Rules = [.names, .weights, .cleaning]
  }

  /// The chosen elements in document order, none inside another, and their totals after cleaning.
  struct Finding {
    var elements: [Int]
    var letters = 0
    var prose = 0
  }

  let elements: UnsafeMutablePointer<Element>
  let count: Int
  /// True for each excluded element and all its descendants.
  let out: UnsafeMutablePointer<Bool>
  var sums: PageSums
  let scores: UnsafeMutablePointer<Float>
  /// Amount of prose on the whole page, without invisible elements.
  private(set) var prose = 0
  /// Amount of prose without invisible elements and without elements whose names mark them as comments.
  private(set) var ownProse = 0
  let page: UnsafePointer<UInt8>
  /// The candidates for the title, folded to letters and digits. Headings that repeat one of them are removed.
  let titles: [String]
  /// Elements that the user's selectors remove in every attempt.
  private var removed: [Int] = []

  init(
    _ elements: UnsafeMutablePointer<Element>,
    count: Int,
    page: UnsafePointer<UInt8>,
    titles: [String]
  ) {
    self.elements = elements
    self.count = count
    self.page = page
    self.titles = titles
    out = .allocate(capacity: count)
    out.initialize(repeating: false, count: count)
    scores = .allocate(capacity: count)
    scores.initialize(repeating: -1, count: count)
    sums = PageSums(count: count)
  }

  deinit {
    out.deallocate()
    scores.deallocate()
  }

  // MARK: Attempts

  /// Makes one attempt: excludes elements, scores, chooses and cleans.
  mutating func find(_ rules: Rules) -> Finding? {
    begin()
    for index in removed { leaveOut(index) }
    leaveOutForeign(rules)
    sums.add(elements, leavingOut: out)
    score(rules)
    guard let top = candidate() else { return nil }
    return clean(chosen(around: top, rules), rules)
  }

  private func chosen(around candidate: Int, _ rules: Rules) -> [Int] {
    let top = widened(candidate)
    if let inner = narrowed(top) { return leads(before: inner) + [inner] }
    let siblings = withSiblings(top, rules)
    return leads(before: top).filter { lead in !siblings.contains { isInside(lead, $0) } } + siblings
  }

  /// Returns the totals of elements that a selector chose. Does not clean them.
  mutating func measure(_ chosen: [Int]) -> Finding { clean(chosen, []) }

  mutating func keepsRemoved(_ indices: [Int]) {
    removed = indices
  }

  /// Returns the block that contains the largest share of the excerpt; nil if no block contains at least 30 %.
  func block(with match: ExcerptMatch) -> Int? {
    var plain = HTMLPlainText()
    var best: (index: Int, share: Double)?
    var index = 1
    while index < count {
      guard !out[index] || !Self.isNeverShown(elements[index].name) else {
        index = max(Int(elements[index].end), index + 1)
        continue
      }
      let element = elements[index]
      let length = Int(element.stop - element.start)
      if element.flags.contains(.block), !element.flags.contains(.hasBlocks), element.line.letters >= 40,
        length < 100_000
      {
        let text = plain.line(
          ofHTML: UnsafeBufferPointer(start: page + Int(element.start), count: length)
        )
        let share = match.share(in: text)
        if share > best?.share ?? 0.3 { best = (index, share) }
      }
      index += 1
    }
    return best?.index
  }

  /// Returns the best candidate among the elements that enclose `place`.
  mutating func findAround(_ place: Int) -> Finding? {
    begin()
    for index in removed { leaveOut(index) }
    sums.add(elements, leavingOut: out)
    score(.all)
    var best: Int?
    var around = Int(elements[place].parent)
    while around > 0, elements[around].name != .body, elements[around].name != .html {
      if scores[around] > best.map({ scores[$0] }) ?? 0 { best = around }
      around = Int(elements[around].parent)
    }
    return best.map { clean([$0], .all) }
  }

  // MARK: Excluding

  /// Excludes invisible elements and counts the prose of the page.
  mutating func begin() {
    out.update(repeating: false, count: count)
    var index = 1
    while index < count {
      if Self.isNeverShown(elements[index].name) {
        index = leaveOut(index)
      } else {
        index += 1
      }
    }
    sums.add(elements, leavingOut: out)
    prose = Int(sums[0].prose)
    ownProse = prose - proseOfComments()
  }

  private func proseOfComments() -> Int {
    var total = 0
    var index = 1
    while index < count {
      if elements[index].meaning.contains(.comments), !out[index], isNamedForeign(elements[index]) {
        total += Int(sums[index].prose)
        index = max(Int(elements[index].end), index + 1)
      } else {
        index += 1
      }
    }
    return total
  }

  private static func isNeverShown(_ name: HTMLElement) -> Bool {
    switch name {
    case .script, .style, .template, .noscript, .noframes, .noembed, .head, .svg, .select, .datalist,
      .textarea,
      .object, .applet, .canvas, .iframe, .xml:
      true
    default: false
    }
  }

  /// Excludes the element and its descendants. Returns the index after them.
  @discardableResult
  func leaveOut(_ index: Int) -> Int {
    let end = Int(elements[index].end)
    (out + index).update(repeating: true, count: max(end - index, 1))
    return max(end, index + 1)
  }

  /// Excludes elements whose kind or name shows that they are not part of the article. Keeps an element that holds
  /// most of the page.
  func leaveOutForeign(_ rules: Rules) {
    let most = Float(prose) * 0.55
    let mostOfComments = Float(prose) * 0.9
    var index = 1
    while index < count {
      guard !out[index] else {
        index = max(Int(elements[index].end), index + 1)
        continue
      }
      let element = elements[index]
      let isComments = element.meaning.contains(.comments)
      let isNamed = (rules.contains(.names) || isComments && !rules.isEmpty) && isNamedForeign(element)
      guard isNamed || Self.isForeign(element) else {
        index += 1
        continue
      }
      let limit = isNamed && isComments ? mostOfComments : most
      if prose > 0, Float(sums[index].prose) > limit {
        index += 1
      } else {
        index = leaveOut(index)
      }
    }
  }

  private static func isForeign(_ element: Element) -> Bool {
    if element.flags.contains(.hidden) || element.flags.contains(.foreignRole) { return true }
    switch element.name {
    case .nav, .button, .input, .dialog, .aside, .footer, .menu: return true
    default: return false
    }
  }

  private func isNamedForeign(_ element: Element) -> Bool {
    guard element.meaning.contains(.bad), element.meaning.isDisjoint(with: [.good, .footnotes]),
      !element.flags.contains(.isLiteral)
    else { return false }
    switch element.name {
    case .html, .body, .article, .main, .a, .img, .figure, .figcaption, .picture, .table, .pre, .code, .h1:
      return false
    default: return !element.flags.contains(.articleBody)
    }
  }

  // MARK: Scoring

  /// Scores paragraphs and adds their scores to the enclosing elements.
  func score(_ rules: Rules) {
    scores.update(repeating: -1, count: count)
    var index = 1
    while index < count {
      guard !out[index] else {
        index = max(Int(elements[index].end), index + 1)
        continue
      }
      let element = elements[index]
      if element.flags.contains(.block), element.line.letters >= 25 {
        give(points(element), from: index, rules)
      }
      index += 1
    }
    for index in 0..<count where scores[index] >= 0 {
      scores[index] *= 1 - sums[index].density
    }
  }

  private func points(_ element: Element) -> Float {
    let paragraphs = 1 + Float(element.breaks)
    return paragraphs + Float(element.line.commas) + min(Float(element.line.letters) / 100, 3 * paragraphs)
  }

  private func give(_ points: Float, from index: Int, _ rules: Rules) {
    let element = elements[index]
    // Text directly inside a container scores for that container.
    var holder = Int(element.parent)
    if element.flags.contains(.hasBlocks) || element.breaks > 1 && element.name != .p { holder = index }
    var level = 0
    while level < 5 {
      if !elements[holder].flags.contains(.inline) {
        let share: Float = level == 0 ? 1 : level == 1 ? 0.5 : 1 / Float(3 * level)
        if scores[holder] < 0 { scores[holder] = max(base(holder, rules), 0) }
        scores[holder] += points * share
        level += 1
      }
      guard holder > 0 else { return }
      holder = Int(elements[holder].parent)
    }
  }

  /// Returns the score of an element before its paragraphs are counted. The caller raises a negative score to 0,
  /// because a negative value marks an element without a score.
  private func base(_ index: Int, _ rules: Rules) -> Float {
    let element = elements[index]
    var points: Float =
      switch element.name {
      case .div, .section, .article, .main: 5
      case .pre, .td, .blockquote: 3
      case .address, .ol, .ul, .dl, .dd, .dt, .li, .form: -3
      case .h1, .h2, .h3, .h4, .h5, .h6, .th: -5
      default: 0
      }
    if rules.contains(.weights) { points += Float(element.weight) }
    if element.flags.contains(.articleBody) || element.meaning.contains(.container) { points += 25 }
    return points
  }

  // MARK: Choosing

  /// Returns the element with the highest score, or an ancestor that suits the article better.
  func candidate() -> Int? {
    var best: [Int] = []
    for index in 1..<max(count, 1) where scores[index] > 0 && !out[index] {
      guard best.count < 5 || scores[index] > scores[best[best.count - 1]] else { continue }
      let place = best.firstIndex { scores[$0] < scores[index] } ?? best.count
      best.insert(index, at: place)
      if best.count > 5 { best.removeLast() }
    }
    guard var top = best.first else { return nil }
    top = raiseToRivals(top, best)
    return raiseToParent(top)
  }

  private func isInside(_ index: Int, _ outer: Int) -> Bool {
    index >= outer && index < Int(elements[outer].end)
  }

  /// Returns the nearest ancestor of the best candidate that also contains three of its rivals.
  private func raiseToRivals(_ top: Int, _ best: [Int]) -> Int {
    let rivals = best.dropFirst().filter { scores[$0] >= scores[top] * 0.75 }
    guard rivals.count >= 3 else { return top }
    var place = Int(elements[top].parent)
    while place > 0, elements[place].name != .body {
      let inside = rivals.count { isInside($0, place) && $0 != place }
      if inside >= 3 { return place }
      place = Int(elements[place].parent)
    }
    return top
  }

  private func raiseToParent(_ index: Int) -> Int {
    var top = index
    var last = scores[top]
    let threshold = last / 3
    var parent = Int(elements[top].parent)
    while parent > 0, elements[parent].name != .body {
      let score = scores[parent]
      if score >= 0 {
        if score < threshold { break }
        if score > last {
          top = parent
          break
        }
        last = score
      }
      parent = Int(elements[parent].parent)
    }
    return onlyChild(top)
  }

  /// Returns the outermost ancestor that has no other content than this element.
  private func onlyChild(_ index: Int) -> Int {
    var top = index
    while true {
      let parent = Int(elements[top].parent)
      guard parent > 0, elements[parent].name != .body, elements[parent].name != .html,
        sums[parent].letters == sums[top].letters, sums[parent].images == sums[top].images
      else { return top }
      top = parent
    }
  }

  private func isNamedText(_ element: Element) -> Bool {
    element.flags.contains(.articleBody) || element.meaning.contains(.container)
  }

  /// Returns an ancestor of the candidate that is marked as the article and holds 1.1 to 2.5 times as much
  /// prose. Returns the candidate if there is no such ancestor.
  func widened(_ top: Int) -> Int {
    let prose = Float(sums[top].prose)
    var place = Int(elements[top].parent)
    while place > 0, elements[place].name != .body {
      let element = elements[place]
      if element.name == .article || isNamedText(element), sums[place].density < 0.35 {
        let ratio = Float(sums[place].prose) / max(prose, 1)
        if ratio >= 1.1, ratio <= 2.5 { return place }
      }
      place = Int(element.parent)
    }
    return top
  }

  /// Returns the smallest descendant whose name marks it as the article's text and that holds most of the candidate's
  /// text. Returns nil if there is none.
  func narrowed(_ top: Int) -> Int? {
    let enough = Float(sums[top].prose) * 0.8
    guard enough > 0 else { return nil }
    var best: Int?
    var index = top
    let end = Int(elements[top].end)
    while index < end {
      guard !out[index], Float(sums[index].prose) >= enough else {
        index = max(Int(elements[index].end), index + 1)
        continue
      }
      if isNamedText(elements[index]) { best = index }
      index += 1
    }
    return best
  }

  /// Returns the lead paragraphs before the candidate, within the enclosing article: paragraphs whose name marks them
  /// as a lead, and the prose of a header.
  func leads(before top: Int) -> [Int] {
    var around = Int(elements[top].parent)
    var level = 1
    while level < 4, around > 0, elements[around].name != .article, elements[around].name != .main,
      elements[Int(elements[around].parent)].name != .body
    {
      around = Int(elements[around].parent)
      level += 1
    }
    guard around > 0, elements[around].name != .body, sums[around].prose > 0 else { return [] }
    var found: [Int] = []
    var headerEnd = 0
    var index = around + 1
    while index < top, found.count < 2 {
      let element = elements[index]
      guard !out[index] else {
        index = max(Int(element.end), index + 1)
        continue
      }
      if element.name == .header { headerEnd = Int(element.end) }
      let total = sums[index]
      let isNamed = element.meaning.contains(.lead) && element.flags.contains(.block)
      let isInHeader = index < headerEnd && element.name == .p
      if isNamed || isInHeader, Int(element.end) <= top, total.letters >= 60, total.letters < 1_000,
        total.density < 0.3, total.sentences <= 3
      {
        found.append(index)
        index = max(Int(element.end), index + 1)
      } else {
        index += 1
      }
    }
    return found
  }

  /// Returns the candidate and the siblings that belong to the article.
  func withSiblings(_ top: Int, _ rules: Rules) -> [Int] {
    let parent = Int(elements[top].parent)
    guard parent > 0 || elements[top].name != .body else { return [top] }
    let threshold = max(10, scores[top] * 0.2)
    var found: [Int] = []
    var index = parent + 1
    let end = Int(elements[parent].end)
    while index < end {
      if index == top {
        found.append(index)
      } else if !out[index], belongs(index, threshold) {
        found.append(index)
      }
      index = max(Int(elements[index].end), index + 1)
    }
    return found
  }

  private func belongs(_ index: Int, _ threshold: Float) -> Bool {
    let total = sums[index]
    if scores[index] >= threshold { return true }
    switch elements[index].name {
    case .p: return total.letters > 80 && total.density < 0.25
    default: return false
    }
  }
}
