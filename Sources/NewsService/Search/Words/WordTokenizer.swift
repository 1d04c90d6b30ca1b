/// Splits text into the words that are indexed and searched. Index, queries, rules and the search for stories share
/// this one tokenizer, which supports all scripts.
///
/// Words are folded (case, compatibility forms, accents); text in scripts without spaces is split into overlapping
/// pairs of characters. Alternative forms of a word are *colocated*: they share the position of the token before them.
/// `docs/search.md` lists the rules.
///
/// The tokens of a query must be found at consecutive positions; its colocated tokens are alternatives. `C++` therefore
/// yields only `c++` in a query, but `c` and `c++` in a document.
public enum WordTokenizer {
  public enum Mode: Hashable, Sendable {
    /// Text that is indexed.
    case document
    /// Text that is searched for.
    case query
  }

  /// Bytes for a word, the parts joined to it, and a sigil before it.
  private static let roomForWord = 192

  /// Calls `emit` for each token of `text` in order, until `emit` returns false. Allocates nothing.
  ///
  /// Invalid UTF-8 bytes in `text` separate words. Returns false when stopped.
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

  /// Returns the tokens of a text as an array: for tests, diagnostics, and short texts such as queries.
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
