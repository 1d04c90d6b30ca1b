public import NewsCore
import NewsToolbox

/// The tokens that a word or phrase requires at consecutive positions; each position accepts alternative forms.
public struct TermPattern: Hashable, Sendable {
  /// The alternative forms at one position, the plain form first.
  public typealias Step = [String]

  public var steps: [Step]
  /// True: the last step matches the start of a token. This applies to `word*`, and to a single character of a script
  /// without spaces, which the index stores in pairs.
  public var endsOpen: Bool
  /// True when `endsOpen` is set because of such a single character.
  public var endsWithLoneCharacter: Bool

  public init(_ match: TextMatch) {
    self.init(match.text, isPrefix: match.kind == .prefix)
  }

  public init(_ text: String, isPrefix: Bool = false) {
    var steps: [Step] = []
    var isLone = false
    for token in WordTokenizer.tokens(of: text, mode: .query) {
      if token.isColocated, !steps.isEmpty {
        steps[steps.count - 1].append(token.text)
      } else {
        steps.append([token.text])
        isLone = token.isLoneCharacter
      }
    }
    self.steps = steps
    endsOpen = !steps.isEmpty && (isPrefix || isLone)
    endsWithLoneCharacter = isLone
  }

  /// True for punctuation only, which matches nothing.
  public var isEmpty: Bool { steps.isEmpty }
}

extension TextMatch {
  /// The spellings to search for, as typed first: `e-mail` also matches `email`, and a Persian word with a non-joiner
  /// also matches the word without it. The reverse needs no second spelling, because the index contains both forms.
  public var spellings: [String] {
    guard kind != .phrase else { return [text] }
    if text.unicodeScalars.contains("\u{200C}") {
      let unbroken = String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\u{200C}" }))
      return TermPattern(text).steps == TermPattern(unbroken).steps ? [text] : [text, unbroken]
    }
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 2, let first = parts[0].first, ASCII.isLetter(first),
      parts.allSatisfy({ !$0.isEmpty && $0.count < 32 && $0.allSatisfy(ASCII.isWord) })
    else { return [text] }
    return [text, text.replacing(ascii: "-", with: "")]
  }
}

extension Query {
  /// True when the query contains a prefix, or a single character that is indexed in pairs. To count its matches, an
  /// index must collect the items of every word with that prefix.
  public var containsPrefix: Bool {
    switch self {
    case .text(let match):
      match.spellings.contains { TermPattern($0, isPrefix: match.kind == .prefix).endsOpen }
    case .and(let parts), .or(let parts): parts.contains(where: \.containsPrefix)
    case .not(let part): part.containsPrefix
    default: false
    }
  }

  /// True when the query contains a prefix of one letter, which a large part of all words has.
  public var containsOneLetterPrefix: Bool {
    switch self {
    case .text(let match):
      match.spellings.contains { spelling in
        let pattern = TermPattern(spelling, isPrefix: match.kind == .prefix)
        return pattern.endsOpen && pattern.steps.last?.first?.unicodeScalars.count == 1
      }
    case .and(let parts), .or(let parts): parts.contains(where: \.containsOneLetterPrefix)
    case .not(let part): part.containsOneLetterPrefix
    default: false
    }
  }
}
