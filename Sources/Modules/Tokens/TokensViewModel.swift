/// The words of a text, a line each: word, offsets of its first byte and of the byte after it, `+` for a
/// variant at the position of the previous word.
public struct TokensViewModel: ScreenContent {
  public var lines: [DisplayText]
  public var rowCount: Int { lines.count }
}
