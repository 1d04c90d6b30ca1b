import DIContainer
import Glibc
import Modules

/// Starts the daemon for `newsd run`.
struct DaemonStart: Sendable {
  let context: CommandContext
  let invocation: Invocation

  /// Runs the daemon. `callback` is the URL at which hubs reach this machine, and `format` that of the log; nil: the
  /// configuration decides.
  func run(callback: String?, _ format: Settings.Log.Format?) async throws -> ExitStatus {
    let signals = try context.requireSignals()
    // Before accounts and connections use up the files that the process may open.
    Version.loadLibraries(ofWebServer: context.settings.web.listen != nil)
    let (log, writer) = try openLog(format)
    let callback = callback ?? context.settings.webSub.callback
    let daemon = Daemon(
      context: context,
      log: log,
      writer: writer,
      callback: callback,
      printsAddress: invocation.has("web")
    ) {
      [context, invocation] in
      let loader = ConfigurationLoader(environment: context.environment)
      var settings = try loader.load(flag: invocation.value("config"))
      if context.accounts == nil {
        settings.store = loader.storePath(flag: invocation.value("db"), settings: settings)
      }
      settings.applyWebOption(of: invocation)
      return settings
    }
    defer { writer.flush(milliseconds: 500) }
    return try await daemon.run(signals)
  }

  /// Creates the log, and the writer whose thread writes it.
  private func openLog(_ format: Settings.Log.Format?) throws -> (DaemonLog, LogWriter) {
    let format = format ?? context.settings.log.format
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
