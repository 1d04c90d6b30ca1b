import Modules
import NewsCore

/// The exit status and the sentence for each kind of error; the one place that decides them.
enum ErrorReport {
  static func describe(_ error: any Error) -> (ExitStatus, String) {
    switch error {
    case let error as UsageError:
      let help = error.command.map { "'newsd help \($0)' says more" } ?? "'newsd help' says more"
      return (.usage, "\(error.message); \(help)")
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
