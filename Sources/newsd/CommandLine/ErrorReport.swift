import Modules
import NewsCore
import NewsText

/// Converts errors to an exit status and a message. For errors of Core, `UserMessage` decides both.
enum ErrorReport {
  /// Converts an error. A usage error ends with a pointer to the help of the command at `path`; nil: the
  /// command line names none.
  static func describe(_ error: any Error, path: [String]? = nil) -> (ExitStatus, String) {
    let message = message(error)
    let help = help(on: (error as? UsageError)?.command ?? path?.first)
    return (message.code, message.text(pointingTo: help))
  }

  /// The pointer to the help of a command, for usage errors.
  static func help(on command: String?) -> String {
    command.map { "'newsd help \($0)' says more" } ?? "'newsd help' says more"
  }

  private static func message(_ error: any Error) -> UserMessage {
    switch error {
    case let error as UsageError: UserMessage(code: .usage, text: error.message)
    case let error as ConfigurationError:
      UserMessage(code: .configuration, text: MessageText.printable(error.message))
    case let error as OutputError: UserMessage(code: .io, text: error.description)
    default:
      UserMessage(reporting: error) ?? UserMessage(code: .internalError, text: "internal error: \(error)")
    }
  }
}

/// An error in the command line: exit status 64.
struct UsageError: Error, CustomStringConvertible {
  /// The problem, with the most similar correct word if there is one.
  var message: String
  /// The command to whose help the message points.
  var command: String?

  init(_ message: String, command: String? = nil) {
    self.message = message
    self.command = command
  }

  var description: String { message }
}
