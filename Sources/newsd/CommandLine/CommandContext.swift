import DIContainer
import Modules
import NewsService

/// What every command works with, settled before it starts.
struct CommandContext: Sendable {
  let environment: [String: String]
  let settings: Settings
  let services: ServiceContainer
  let output: StandardOutput
  let isQuiet: Bool
  let isVerbose: Bool

  /// A line for people on standard error, unless they asked for quiet.
  func note(_ text: String) {
    if !isQuiet { StandardError.line(text) }
  }

  /// A line that is wanted even when quiet: something failed.
  func warn(_ text: String) {
    StandardError.line("newsd: \(text)")
  }
}

/// A failure with the exit status and the sentence for it.
struct CommandFailure: Error {
  var status: ExitStatus
  var message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}
