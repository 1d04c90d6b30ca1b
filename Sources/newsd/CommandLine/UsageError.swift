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
