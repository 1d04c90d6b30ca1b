import DIContainer
import Glibc
import Modules
import NewsTerminal
import NewsToolbox

/// The services of this process for the modules that it runs.
struct ProcessHost: CommandHost {
  let context: CommandContext
  let invocation: Invocation

  func text(_ route: ReferenceRoute) throws -> String {
    let table = CommandTable.commands
    let options = CommandTable.globalOptions
    switch route {
    case .help(let path):
      let help = HelpText(table: table, globalOptions: options)
      return path.isEmpty ? help.overview : try help.command(path)
    case .version: return "newsd \(Version.number)\n"
    case .manual: return ManualPage(table: table, globalOptions: options, date: Version.date).text
    case .completionScript(let shell):
      return CompletionScript.text(for: try CompletionScript.Shell(named: shell))
    }
  }

  func read(_ path: String) throws -> [UInt8] {
    try InputFile.read(path)
  }

  func open(_ link: String) throws {
    try Browser(environment: context.environment).open(link)
  }

  func reader() throws -> ReaderHost {
    var options = context.settings.reader
    if let browser = try? Browser(environment: context.environment) { options.browser = browser.words }
    return ReaderHost(
      commands: try ReaderCommandLine(context: context, invocation: invocation),
      options: options,
      environment: context.environment,
      signals: try context.requireSignals().signals
    )
  }

  func run(_ route: DaemonRoute) async throws -> ExitStatus {
    let signals = try context.requireSignals()
    let (log, writer) = try openLog(route.logFormat)
    let callback = route.callback ?? context.settings.webSub.callback
    let daemon = Daemon(context: context, log: log, writer: writer, callback: callback) {
      [context, invocation] in
      let loader = ConfigurationLoader(environment: context.environment)
      var settings = try loader.load(flag: invocation.value("config"))
      settings.store = loader.storePath(flag: invocation.value("db"), settings: settings)
      return settings
    }
    defer { writer.flush(milliseconds: 500) }
    return try await daemon.run(signals)
  }

  /// Creates the log, and the writer whose thread writes it.
  private func openLog(_ name: String?) throws -> (DaemonLog, LogWriter) {
    let format = name.flatMap { Settings.Log.Format(rawValue: $0) } ?? context.settings.log.format
    let clock = context.services.clock
    let hasPriorities = JournalStream.isConnected(environment: context.environment)
    let dropped = DaemonLog(format: format, level: .warning, clock: clock, hasPriorities: hasPriorities) {
      _ in
    }
    let writer = LogWriter(descriptor: STDERR_FILENO) { count in
      dropped.text(
        .warning,
        "log",
        [("dropped", .number(count)), ("error", .text("\(count) lines dropped"))]
      )
    }
    guard writer.start() else {
      throw UserMessage(code: .internalError, text: "cannot start a thread for the log")
    }
    let level: Settings.Log.Level =
      context.isVerbose ? .debug : context.isQuiet ? .warning : context.settings.log.level
    let log = DaemonLog(format: format, level: level, clock: clock, hasPriorities: hasPriorities) {
      writer.line($0)
    }
    return (log, writer)
  }
}
