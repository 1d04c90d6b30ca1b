public import NewsCore

/// A failure as a person is told of it: one line that says what, where and what to do, and a code for programs.
public struct UserMessage: Error, Hashable, Sendable, CustomStringConvertible {
  /// Values are the exit statuses of the command line (sysexits where there is one).
  public enum Code: Int32, Hashable, Sendable {
    case nothingMatched = 1
    case usage = 64
    /// Not a feed, or data that cannot be read.
    case badData = 65
    /// No such file, feed or item.
    case notFound = 66
    case unreachable = 69
    case internalError = 70
    case cannotCreate = 73
    /// Reading or writing failed, or the store is unusable.
    case io = 74
    /// Some feeds failed, others did not.
    case someFailed = 75
    case configuration = 78
  }

  public let code: Code
  public let text: String

  public init(code: Code, text: String) {
    self.code = code
    self.text = text
  }

  public var description: String { text }

  public init(_ error: StoreError) {
    let code: Code =
      switch error.code {
      case .unreadable, .corrupt, .newerSchema, .full, .busy: .io
      case .noSuchItem, .noSuchFeed, .missing: .notFound
      case .ambiguousFeed, .badQuery: .usage
      case .duplicateFeed: .badData
      case .other: .internalError
      }
    self.init(code: code, text: error.message)
  }

  public init(_ error: QueryError) {
    self.init(code: .usage, text: error.message)
  }

  public init(_ error: FetchError) {
    let code: Code =
      switch error.code {
      case .badURL, .unsupportedScheme: .usage
      case .fileNotFound: .notFound
      default: .unreachable
      }
    self.init(code: code, text: error.message)
  }

  public init(_ error: FeedParseError) {
    self.init(code: .badData, text: error.message)
  }
}
