/// Splits text into the words that are indexed and searched: one normaliser for index, queries, rules and the
/// detection of duplicates, in every script.
///
/// Words are folded (case, compatibility forms, accents); a script written without spaces is cut into overlapping
/// pairs of characters. Where a word can be looked for in several ways, the further forms are *colocated*: they share
/// the position of the token before them. `docs/search.md` lists the rules.
///
/// In a query the tokens say what has to be found, at consecutive positions: what is typed as `C++` gives `c++` alone,
/// where a document gives `c` and `c++`; colocated tokens of a query are alternatives.
public enum WordTokenizer {
  public enum Mode: Hashable, Sendable {
    /// Text to be found.
    case document
    /// Text to look for.
    case query
  }

  /// Room for a word, what is joined to it, and the sigil before it.
  private static let roomForWord = 192

  /// Calls `emit` for each token of `text` in order, until it returns false. Allocates nothing.
  ///
  /// `text` should be UTF-8; bytes that are not are borders between words. Returns false when stopped.
  @discardableResult
  public static func tokenize(
    _ text: UnsafeBufferPointer<UInt8>,
    mode: Mode,
    emit: (TokenSlice) -> Bool
  ) -> Bool {
    guard let base = text.baseAddress, !text.isEmpty else { return true }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: roomForWord * 2) { room in
      guard let word = room.baseAddress else { return true }
      var scanner = TokenScanner(
        base: base,
        count: text.count,
        isQuery: mode == .query,
        word: word,
        variant: word + roomForWord
      )
      return scanner.run(emit)
    }
  }

  /// The tokens of a text as values: for tests, diagnosis, and texts as short as queries.
  public static func tokens(of text: String, mode: Mode) -> [Token] {
    var text = text
    return text.withUTF8 { bytes in
      var tokens: [Token] = []
      tokenize(bytes, mode: mode) { slice in
        tokens.append(
          Token(
            text: String(decoding: slice.bytes, as: UTF8.self),
            start: slice.start,
            end: slice.end,
            isColocated: slice.isColocated,
            isLoneCharacter: slice.isLoneCharacter
          )
        )
        return true
      }
      return tokens
    }
  }
}
