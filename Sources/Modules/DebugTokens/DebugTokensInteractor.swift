import NewsSearch

/// Splits a text into words: a line for each, with the offsets in the text of its first byte and of the byte after
/// it, and `+` for a variant at the position of the previous word.
public struct DebugTokensInteractor: Interactor {
  public init() {}

  /// Splits a text as a query or as the text of an item.
  public func respond(to request: (text: String, isQuery: Bool), emit: @escaping Emit<TextLines>) async throws
  {
    let mode: WordTokenizer.Mode = request.isQuery ? .query : .document
    let lines = WordTokenizer.tokens(of: request.text, mode: mode).map { token in
      let place = "\(token.start)\t\(token.end)\t\(token.isColocated ? "+" : "")"
      return DisplayText(unchecked: "\(DisplayText(line: token.text).string)\t\(place)")
    }
    try emit(.ready(TextLines(lines: lines)))
  }
}
