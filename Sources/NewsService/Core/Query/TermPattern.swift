import NewsToolbox

/// The tokens that a word or phrase requires, at consecutive positions, each in one of several forms.
public struct TermPattern: Hashable, Sendable {
  /// One position: forms that share it, the plain one first.
  public typealias Step = [String]

  public var steps: [Step]
  /// True: the last step is the beginning of a token. So for `word*`, and for a lone character of a script written
  /// without spaces, which is indexed in pairs.
  public var endsOpen: Bool
  /// True when it is for the latter reason.
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

  /// True for punctuation alone: there is nothing to look for, and nothing is found.
  public var isEmpty: Bool { steps.isEmpty }
}

extension TextMatch {
  /// The spellings of this match, as typed first: `e-mail` is also looked for as `email`, and so is a Persian
  /// word with a non-joiner. (The other way round the index has both.)
  public var spellings: [String] {
    guard kind != .phrase else { return [text] }
    if text.unicodeScalars.contains("\u{200C}") {
      let unbroken = String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\u{200C}" }))
      return TermPattern(text).steps == TermPattern(unbroken).steps ? [text] : [text, unbroken]
    }
    let parts = text.utf8.split(separator: 0x2D, omittingEmptySubsequences: false)
    guard parts.count == 2, let first = parts[0].first, ASCII.isLetter(first),
      parts.allSatisfy({ !$0.isEmpty && $0.count < 32 && $0.allSatisfy(ASCII.isWord) })
    else { return [text] }
    return [text, text.replacing(ascii: "-", with: "")]
  }
}

extension Query {
  /// True when a word with a star, or a single character that begins pairs, is among what is looked for: to count what
  /// it finds, an index has to gather every item of every word that begins so.
  public var looksForBeginnings: Bool {
    switch self {
    case .text(let match):
      match.spellings.contains { TermPattern($0, isPrefix: match.kind == .prefix).endsOpen }
    case .and(let parts), .or(let parts): parts.contains(where: \.looksForBeginnings)
    case .not(let part): part.looksForBeginnings
    default: false
    }
  }
}
