/// Why a text is not a valid regular expression.
public struct RegexError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A clause without final punctuation: "a ( has no ) after it".
  public let message: String
  public var description: String { message }
  init(_ message: String) { self.message = message }
  static let tooLarge = RegexError("it is too large (long repetitions count as often as they repeat)")
}
