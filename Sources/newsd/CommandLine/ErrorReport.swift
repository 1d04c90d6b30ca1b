import Modules
import NewsCore
import NewsText

/// Turns each kind of error into its exit status and a sentence.
enum ErrorReport {
  /// - Parameters:
  ///   - error: What a command threw.
  ///   - path: The command; nil: the command line names none. A usage error ends with a pointer to its help.
  /// - Returns: The exit status and the sentence.
  static func describe(_ error: any Error, path: [String]? = nil) -> (ExitStatus, String) {
    let (status, message) = facts(error)
    guard status == .usage, !message.contains("'newsd help") else { return (status, message) }
    let command = (error as? UsageError)?.command ?? path?.first
    let help = command.map { "'newsd help \($0)' says more" } ?? "'newsd help' says more"
    return (status, pointing(message, to: help))
  }

  /// Joins a sentence and the pointer: `not a command; 'newsd help' says more`, `did you mean 'x'? 'newsd help' says more`.
  private static func pointing(_ message: String, to help: String) -> String {
    switch message.utf8.last {
    case UInt8(ascii: "?"): "\(message) \(help)"
    case UInt8(ascii: "."): "\(message.dropLast()); \(help)"
    default: "\(message); \(help)"
    }
  }

  private static func facts(_ error: any Error) -> (ExitStatus, String) {
    switch error {
    case let error as UsageError: return (.usage, error.message)
    case let error as CommandFailure: return (error.status, error.message)
    case let error as ConfigurationError: return (.configuration, error.message)
    case let error as StoreError: return (status(of: error), error.message)
    case let error as QueryError: return (error.code == .unknownFeed ? .noInput : .usage, error.message)
    case let error as FetchError: return (status(of: error), error.message)
    case let error as FeedParseError: return (.badData, error.message)
    case let error as UserMessage: return (ExitStatus(screen: error.code.rawValue), error.text)
    case let error as OutputError: return (.inputOutput, error.description)
    case let error as FeedAdditionError: return (status(of: error), error.message)
    case let error as RecordError: return (.inputOutput, error.message)
    case let error as TypedAddress.Problem: return (.usage, error.message)
    default: return (.internalError, "internal error: \(error)")
    }
  }

  private static func status(of error: StoreError) -> ExitStatus {
    switch error.code {
    case .noSuchItem, .noSuchFeed, .missing: .noInput
    case .ambiguousFeed, .badQuery: .usage
    case .duplicateFeed: .badData
    case .unreadable, .corrupt, .newerSchema, .full, .busy: .inputOutput
    case .other: .internalError
    }
  }

  private static func status(of error: FetchError) -> ExitStatus {
    switch error.code {
    case .badURL, .unsupportedScheme: .usage
    case .fileNotFound: .noInput
    default: .unavailable
    }
  }

  private static func status(of error: FeedAdditionError) -> ExitStatus {
    switch error.code {
    case .badURL, .noSuchChoice: .usage
    case .duplicate, .notAFeed: .badData
    case .unreachable, .cancelled: .unavailable
    case .store(let code): status(of: StoreError(code: code, message: ""))
    }
  }
}
