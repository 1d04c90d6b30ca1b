/// An error in the configuration: exit status 78.
struct ConfigurationError: Error, CustomStringConvertible {
  /// The problem, with file, line and key, or with the environment variable.
  var message: String
  var description: String { message }
}
