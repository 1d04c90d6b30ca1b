public import NewsSearch
public import NewsCore

/// An error for the user: what failed, where, and what to do, with a code for programs.
public struct UserMessage: Error, Hashable, Sendable, CustomStringConvertible {
  public let code: ExitStatus
  public let text: String
  /// What clients of the web server learn of the error; see `StoreError.clientMessage`.
  public let clientText: String

  public init(code: ExitStatus, text: String, clientText: String? = nil) {
    self.code = code
    self.text = text
    self.clientText = clientText ?? text
  }

  public var description: String { text }

  /// The text. A usage error ends with a pointer to help: `not a command; 'newsd help' says more`.
  public func text(pointingTo help: String?) -> String {
    guard let help, code == .usage, !text.contains("'newsd help") else { return text }
    return switch text.utf8.last {
    case UInt8(ascii: "?"): "\(text) \(help)"
    case UInt8(ascii: "."): "\(text.dropLast()); \(help)"
    default: "\(text); \(help)"
    }
  }

  /// Converts an error of Core, or takes a `UserMessage` as it is; nil for other errors, such as a closed
  /// output.
  public init?(reporting error: any Error) {
    switch error {
    case let error as UserMessage: self = error
    case let error as StoreError: self.init(error)
    case let error as QueryError: self.init(error)
    case let error as FetchError: self.init(error)
    case let error as FeedParseError: self.init(error)
    case let error as FeedAdditionError: self.init(error)
    case let error as ArticleRefusal: self.init(error)
    case let error as FileError: self.init(error)
    case let error as FeedSettingsEditor.Problem: self.init(code: .usage, text: error.message)
    case let error as TypedAddress.Problem: self.init(code: .usage, text: error.message)
    default: return nil
    }
  }

  public init(_ error: StoreError) {
    let code: ExitStatus =
      switch error.code {
      case .unreadable, .corrupt, .foreignPart, .newerLayout, .olderLayout, .replaced, .full, .busy: .io
      case .noSuchItem, .noSuchFeed, .missing: .notFound
      case .ambiguousFeed, .badQuery: .usage
      case .duplicateFeed, .badData: .badData
      case .cannotCreate, .overQuota: .cannotCreate
      case .other: .internalError
      }
    self.init(code: code, text: error.message, clientText: error.clientMessage)
  }

  public init(_ error: FileError) {
    let code: ExitStatus =
      switch error.code {
      case .cannotOpen, .unsafe: .cannotCreate
      case .cannotRead: .notFound
      case .io: .io
      case .badData: .badData
      }
    self.init(code: code, text: error.message)
  }

  public init(_ error: QueryError) {
    self.init(code: error.code == .unknownFeed ? .notFound : .usage, text: error.message)
  }

  public init(_ error: FeedAdditionError) {
    switch error.code {
    case .badURL, .noSuchChoice: self.init(code: .usage, text: error.message)
    case .duplicate, .notAFeed: self.init(code: .badData, text: error.message)
    case .unreachable, .cancelled: self.init(code: .unreachable, text: error.message)
    case .store(let code): self.init(StoreError(code: code, message: error.message))
    }
  }

  public init(_ error: FetchError) {
    let code: ExitStatus =
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

  public init(_ error: ArticleRefusal) {
    switch error {
    case .wall:
      self.init(code: .badData, text: "the page is an error page, or asks for a login, consent or a CAPTCHA")
    case .noArticle: self.init(code: .badData, text: "there is no article on the page")
    case .selector(let problem): self.init(code: .usage, text: "\(problem)")
    }
  }
}

/// Exit statuses of the command line: 0 and 1 as grep has them, then those of sysexits.h where one fits.
public enum ExitStatus: Int32, Hashable, Sendable, CaseIterable {
  case done = 0
  /// Nothing was found, or `health` reports warnings.
  case nothingMatched = 1
  /// `health` reports critical problems.
  case critical = 2
  case usage = 64
  /// The input is not a feed, or data are bad in another way.
  case badData = 65
  /// The store, file, feed, item or other named thing does not exist, or the file cannot be read.
  case notFound = 66
  case unreachable = 69
  case internalError = 70
  /// The system created no thread.
  case system = 71
  case cannotCreate = 73
  /// Reading or writing failed, or the store is unusable.
  case io = 74
  /// Some feeds failed, others succeeded.
  case someFailed = 75
  case configuration = 78
}
