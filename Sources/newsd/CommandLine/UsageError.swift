/// What was typed cannot be understood: exit status 64.
struct UsageError: Error, CustomStringConvertible {
  /// What is wrong and, where there is one, what was perhaps meant.
  var message: String
  /// The command whose help may serve.
  var command: String?

  init(_ message: String, command: String? = nil) {
    self.message = message
    self.command = command
  }

  var description: String { message }
}
