/// A command line that cannot be understood: exit status 64.
struct UsageError: Error, CustomStringConvertible {
  /// What is wrong and, where there is one, the nearest right word.
  var message: String
  /// The command whose help the message points to.
  var command: String?

  init(_ message: String, command: String? = nil) {
    self.message = message
    self.command = command
  }

  var description: String { message }
}
