public import NewsCore

/// Marks the matches of a query in titles and texts.
///
/// Runs in time linear in the length of the text. Negated terms are not marked.
public struct MatchHighlighter: Sendable {
  private let titleTerms: [Term]
  private let textTerms: [Term]

  /// One term of the query: alternative patterns, or a regular expression.
  private struct Term: Sendable {
    var patterns: [CompiledPattern] = []
    var regex: BoundedRegex?
  }

  /// Further terms are not marked.
  private static let maximumTerms = 64

  public init(_ query: Query) {
    var terms: [(field: TextMatch.Field, term: Term)] = []
    Self.collect(query, &terms)
    titleTerms = terms.filter { $0.field != .author }.map(\.term)
    textTerms = terms.filter { $0.field == .any }.map(\.term)
  }

  private static func collect(_ query: Query, _ terms: inout [(field: TextMatch.Field, term: Term)]) {
    guard terms.count < maximumTerms else { return }
    switch query {
    case .and(let parts), .or(let parts):
      for part in parts { collect(part, &terms) }
    case .text(let match):
      let patterns = match.spellings.map { TermPattern($0, isPrefix: match.kind == .prefix) }
      terms.append((match.field, Term(patterns: patterns.map(CompiledPattern.init))))
    case .regex(let source, let field):
      if let regex = try? BoundedRegex(source) { terms.append((field, Term(regex: regex))) }
    default:
      break
    }
  }

  /// Maximum bytes of a title and of a text in which matches are marked: of a long one with a match at each word, a page of a list
  /// would be as long as a hundred of them.
  private static let (searchedTitle, searchedText) = (1000, 1 << 20)

  /// Returns the whole title with the matches at its beginning marked; nil without a match there.
  public func title(_ title: String) -> MarkedText? {
    let found = matches(of: titleTerms, in: GivenName.cut(title, to: Self.searchedTitle))
    guard !found.isEmpty else { return nil }
    let bytes = Array(title.utf8)
    return MarkedText(runs: Self.runs(bytes, 0..<bytes.count, Self.merged(found)))
  }

  /// Returns the excerpt of `text` that covers most of the query: at most `length` Unicode scalars plus ellipses, cut
  /// between words, white space collapsed. Nil without a match in the first MiB.
  public func excerpt(_ text: String, length: Int = 160) -> MarkedText? {
    let text = GivenName.cut(text, to: Self.searchedText)
    let found = matches(of: textTerms, in: text)
    guard !found.isEmpty else { return nil }
    var bytes = Array(text.utf8)
    // An expression may have matched white space at the end.
    let end = found.map(\.range.upperBound).max() ?? 0
    while bytes.count > end, let last = bytes.last,
      last == UInt8(ascii: " ") || (last >= UInt8(ascii: "\t") && last <= UInt8(ascii: "\r"))
    { bytes.removeLast() }
    let window = ExcerptWindow(bytes, found.map { ($0.range, $0.term) }, length: max(length, 16))
    var runs = Self.runs(bytes, window.range, Self.merged(found))
    if window.range.lowerBound > 0 { runs.insert(MarkedText.Run(text: "…", isMatch: false), at: 0) }
    if window.range.upperBound < bytes.count { runs.append(MarkedText.Run(text: "…", isMatch: false)) }
    return MarkedText(runs: Self.joined(runs))
  }

  private struct Found {
    var range: Range<Int>
    var term: Int
  }

  /// Returns all matches of `terms` in `text`, sorted by start.
  private func matches(of terms: [Term], in text: String) -> [Found] {
    guard !terms.isEmpty, !text.isEmpty else { return [] }
    var found: [Found] = []
    // All expressions of a query share the steps that one may take.
    let steps = BoundedRegex.markingSteps / max(terms.count { $0.regex != nil }, 1)
    let words = terms.contains { !$0.patterns.isEmpty } ? TokenizedText(text) : nil
    for (number, term) in terms.enumerated() {
      for pattern in term.patterns {
        found += (words?.ranges(of: pattern) ?? []).map { Found(range: $0, term: number) }
      }
      if let regex = term.regex {
        var text = text
        let ranges = text.withUTF8 {
          regex.ranges(in: UnsafeBufferPointer(rebasing: $0.prefix(256 << 10)), steps: steps)
        }
        found += ranges.map { Found(range: $0, term: number) }
      }
    }
    found.sort { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
    return found
  }

  /// Merges overlapping ranges; `found` is sorted.
  private static func merged(_ found: [Found]) -> [Range<Int>] {
    var merged: [Range<Int>] = []
    for match in found {
      if let last = merged.last, match.range.lowerBound < last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, match.range.upperBound)
      } else {
        merged.append(match.range)
      }
    }
    return merged
  }

  /// Splits the bytes of `range` into matching and other runs.
  private static func runs(_ bytes: [UInt8], _ range: Range<Int>, _ matches: [Range<Int>]) -> [MarkedText.Run]
  {
    var runs: [MarkedText.Run] = []
    var at = range.lowerBound
    func append(_ end: Int, isMatch: Bool) {
      guard end > at else { return }
      runs.append(MarkedText.Run(text: collapsed(bytes[at..<end]), isMatch: isMatch))
      at = end
    }
    for match in matches where match.upperBound > range.lowerBound {
      guard match.lowerBound < range.upperBound else { break }
      append(max(match.lowerBound, at), isMatch: false)
      // The match may end inside a character whose indexed form is shorter: extend it to the character's end.
      var end = min(match.upperBound, range.upperBound)
      while end < range.upperBound, bytes[end] & 0xC0 == 0x80 { end += 1 }
      append(end, isMatch: true)
    }
    append(range.upperBound, isMatch: false)
    return runs
  }

  /// Replaces each run of ASCII white space by one space.
  private static func collapsed(_ bytes: ArraySlice<UInt8>) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      if !ExcerptWindow.isSpace(byte) {
        result.append(byte)
      } else if result.last != UInt8(ascii: " ") {
        result.append(UInt8(ascii: " "))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func joined(_ runs: [MarkedText.Run]) -> [MarkedText.Run] {
    var result: [MarkedText.Run] = []
    for run in runs {
      if let last = result.last, last.isMatch == run.isMatch {
        result[result.count - 1].text += run.text
      } else {
        result.append(run)
      }
    }
    return result
  }
}

/// Chooses the part of a text to show.
private struct ExcerptWindow {
  let range: Range<Int>

  init(_ bytes: [UInt8], _ matches: [(range: Range<Int>, term: Int)], length: Int) {
    let best = Self.densest(bytes, matches, length)
    // A quarter of the remaining room goes before the first match, to show its context.
    let spare = max(0, length - Self.scalars(bytes, best))
    let start = Self.step(bytes, from: best.lowerBound, back: spare / 4)
    let end = Self.step(bytes, from: start, forward: length)
    let from = Self.wordStart(bytes, start, atMost: best.lowerBound)
    let to = max(from, Self.wordEnd(bytes, end, atLeast: min(best.upperBound, end)))
    range = from..<to
  }

  /// Returns the range of at most `length` scalars with the most different terms, then the most matches; the first of
  /// equal ranges.
  private static func densest(
    _ bytes: [UInt8],
    _ matches: [(range: Range<Int>, term: Int)],
    _ length: Int
  ) -> Range<Int> {
    var counts: [Int: Int] = [:]
    var best = matches[0].range
    var bestScore = 0
    var first = 0
    var width = 0
    for last in matches.indices {
      // Distance from the previous match to this one, in scalars.
      if last > 0 {
        width += scalars(bytes, matches[last - 1].range.lowerBound..<matches[last].range.lowerBound)
      }
      counts[matches[last].term, default: 0] += 1
      let own = min(length, scalars(bytes, matches[last].range))
      while first < last, width + own > length {
        width -= scalars(bytes, matches[first].range.lowerBound..<matches[first + 1].range.lowerBound)
        counts[matches[first].term, default: 1] -= 1
        if counts[matches[first].term] == 0 { counts[matches[first].term] = nil }
        first += 1
      }
      let score = counts.count * 1000 + min(last - first, 900)
      if score > bestScore {
        bestScore = score
        best =
          matches[first].range
          .lowerBound..<max(matches[last].range.upperBound, matches[first].range.upperBound)
      }
    }
    return best
  }

  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  private static func scalars(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
    var count = 0
    for byte in bytes[range] where !isContinuation(byte) { count += 1 }
    return count
  }

  private static func step(_ bytes: [UInt8], from start: Int, back count: Int) -> Int {
    var at = start
    var left = count
    while at > 0, left > 0 {
      at -= 1
      while at > 0, isContinuation(bytes[at]) { at -= 1 }
      left -= 1
    }
    return at
  }

  private static func step(_ bytes: [UInt8], from start: Int, forward count: Int) -> Int {
    var at = start
    var left = count
    while at < bytes.count, left > 0 {
      at += 1
      while at < bytes.count, isContinuation(bytes[at]) { at += 1 }
      left -= 1
    }
    return at
  }

  fileprivate static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (byte >= UInt8(ascii: "\t") && byte <= UInt8(ascii: "\r"))
  }

  /// Returns the first start of a word from `start` to `bound`, at most 48 bytes away; if there is none, returns
  /// `start`.
  private static func wordStart(_ bytes: [UInt8], _ start: Int, atMost bound: Int) -> Int {
    guard start > 0, !isSpace(bytes[start - 1]) else { return skipSpaces(bytes, start, bound) }
    var at = start
    while at < bound, at - start < 48 {
      if isSpace(bytes[at]) { return skipSpaces(bytes, at, bound) }
      at += 1
    }
    return start
  }

  private static func skipSpaces(_ bytes: [UInt8], _ start: Int, _ bound: Int) -> Int {
    var at = start
    while at < bound, isSpace(bytes[at]) { at += 1 }
    return at
  }

  /// Returns the last end of a word from `bound` to `end`, at most 48 bytes away; if there is none, returns `end`.
  private static func wordEnd(_ bytes: [UInt8], _ end: Int, atLeast bound: Int) -> Int {
    guard end < bytes.count else { return bytes.count }
    var at = end
    while at > bound, end - at < 48 {
      if isSpace(bytes[at]) {
        while at > bound, isSpace(bytes[at - 1]) { at -= 1 }
        return at
      }
      at -= 1
    }
    return end
  }
}
