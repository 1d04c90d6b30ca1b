/// A query with an unknown name or an unreadable value.
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: Hashable, Sendable {
    case unknownField, badDate, badRegex, badValue, tooComplex, unknownFeed
  }
  public let code: Code
  /// Names the faulty word and suggests similar ones.
  public let message: String
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }
  public var description: String { message }
}
