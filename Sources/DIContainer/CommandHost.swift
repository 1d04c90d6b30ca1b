public import Modules
public import NewsTerminal

/// The services that the process provides to modules: files, the browser, signals and the daemon.
public protocol CommandHost: CommandReference {
  /// Reads a whole file; `-` is standard input.
  func read(_ path: String) throws -> [UInt8]
  /// Opens a link in the user's browser.
  func open(_ link: String) throws
  /// The process's services for the reader.
  func reader() throws -> ReaderHost
  /// Runs the daemon until it is stopped.
  func run(_ route: DaemonRoute) async throws -> ExitStatus
}

/// The process's services for the reader.
public struct ReaderHost: Sendable {
  /// Reads lines of the command prompt.
  public var commands: any ReaderCommands
  public var options: ReaderOptions
  /// The environment, whose variables identify the terminal.
  public var environment: [String: String]
  public var signals: AsyncStream<Int32>

  public init(
    commands: any ReaderCommands,
    options: ReaderOptions,
    environment: [String: String],
    signals: AsyncStream<Int32>
  ) {
    self.commands = commands
    self.options = options
    self.environment = environment
    self.signals = signals
  }
}
