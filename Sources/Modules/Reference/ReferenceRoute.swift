/// A text about the command line.
public enum ReferenceRoute: Hashable, Sendable {
  /// The list of commands, or the help of the command that the path names.
  case help([String])
  case version
  /// The manual page in mdoc.
  case manual
  /// The completion script for a shell.
  case completionScript(shell: String)
}
