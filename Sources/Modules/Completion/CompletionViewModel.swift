/// The candidates for the last word of a command line.
public struct CompletionViewModel: ScreenContent {
  /// The shell either offers the words, or completes file names itself.
  public enum Kind: String, Hashable, Sendable {
    case nothing, words, files, directories
    /// Words after which the typed word may continue.
    case unfinishedWords = "open"
  }

  public var kind: Kind
  /// The text to put before each candidate.
  public var prefix: String
  public var candidates: [CompletionCandidate]
  public var rowCount: Int { candidates.count }
}
