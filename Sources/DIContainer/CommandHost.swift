public import Modules
public import NewsTerminal

/// What the process that runs modules offers to them.
public protocol CommandHost: CommandReference {
  /// Reads a whole file; `-` is standard input.
  func read(_ path: String) throws -> [UInt8]
  /// Opens a link in the user's browser.
  func open(_ link: String) throws
  /// What the reader needs of the process.
  ///
  /// - Throws: Without signals.
  func reader() throws -> ReaderHost
  /// Runs the daemon until it is told to stop.
  func run(_ route: DaemonRoute) async throws -> ExitStatus
}

/// What the reader needs of the process.
public struct ReaderHost: Sendable {
  /// Reads lines of the command prompt.
  public var commands: any ReaderCommands
  public var options: ReaderOptions
  /// Names the terminal.
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
