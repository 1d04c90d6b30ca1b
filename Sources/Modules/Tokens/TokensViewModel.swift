/// The words of a text, a line each: word, first and last byte, `+` for a variant at the position of the
/// previous word.
public struct TokensViewModel: ScreenContent {
  public var lines: [DisplayText]
  public var rowCount: Int { lines.count }
}
