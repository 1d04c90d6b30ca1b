import DIContainer
import Glibc
import Modules
import NewsCore
import NewsFormats
import NewsText

/// The environment, settings and services of a command, complete before the command starts.
struct CommandContext: Sendable {
  let environment: [String: String]
  let settings: Settings
  let services: ServiceContainer
  /// The accounts; nil: there is one store.
  let accounts: AccountSet?
  /// True: the command works on all accounts, because none was named.
  let isForAllAccounts: Bool
  let isQuiet: Bool
  let isVerbose: Bool
  /// Properties of standard output at the start.
  let probe: TerminalProbe
  /// The signals sent to a long-running command.
  let signals: SignalStream?
  /// The name or path by which newsd was called, for messages that suggest a command.
  let program = Self.program(CommandLine.arguments.first)

  /// The path by which newsd was called, or `newsd` if the shell found it by name.
  static func program(_ argument: String?) -> String {
    guard let argument, argument.utf8.contains(UInt8(ascii: "/")) else { return "newsd" }
    return argument
  }

  /// True if standard output is a terminal.
  var isInteractive: Bool { probe.isTerminal }

  /// The properties of standard output for views, with the options of the invocation.
  func terminal(_ invocation: Invocation) -> Terminal {
    var terminal = probe.terminal(zone: invocation.has("utc") ? .utc : .local, now: services.clock.now())
    terminal.escapesFormulas = invocation.has("csv-safe")
    return terminal
  }

  /// Properties of standard error, which may be a terminal while results go elsewhere.
  var messageProbe: TerminalProbe {
    TerminalProbe(environment: environment, color: probe.color, descriptor: STDERR_FILENO)
  }

  /// The format that the options name; the template format if they give only a template.
  func format(_ invocation: Invocation) -> OutputFormat {
    // The parser has rejected unknown names.
    if let format = invocation.value("format").flatMap(OutputFormat.init(rawValue:)) { return format }
    return invocation.has("template") || invocation.has("template-file") ? .template : .text
  }

  /// Reads the options as parts of routes.
  func reading(_ invocation: Invocation) throws -> RouteReading {
    RouteReading(
      invocation: invocation,
      now: services.clock.now(),
      isText: format(invocation) == .text
    )
  }

  /// Closes the store, and what the accounts were read with.
  func close() async {
    await services.close()
    await accounts?.close()
  }

  /// The signals, for a command that cannot run without them.
  func requireSignals() throws(UserMessage) -> SignalStream {
    guard let signals else {
      throw UserMessage(code: .internalError, text: "the command was started without signal handlers")
    }
    return signals
  }

  /// Prints a warning on standard error, even in quiet mode.
  func warn(_ text: String) {
    StandardError.line("newsd: \(text)")
  }
}
