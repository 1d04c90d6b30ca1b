import DIContainer
import Glibc
import Modules
import NewsCore

extension CommandTable {
  static let runCommand = CommandSpec(
    "run",
    "run the daemon: poll every feed when it is due",
    details: """
      Stays in the foreground until SIGTERM or SIGINT. SIGHUP reads the configuration again, SIGUSR1 polls everything
      now. Logs to standard error: refreshes that brought something or failed, and a summary each minute (log.level).
      Tells a service manager that it is ready, alive and stopping (sd_notify).

      With --websub, hubs that feeds name are asked to push them (W3C WebSub); such feeds are polled at their longest
      interval only, and by their own rhythm again when the hub stops. URL is where hubs reach newsd from outside. newsd
      listens on the URL's own address and port, or on websub.listen of the configuration, where a reverse proxy stands
      in front.
      """,
    options: [
      OptionSpec("websub", value: "URL", "have hubs push feeds to this URL"),
      OptionSpec(
        "log-format",
        value: "FORMAT",
        completion: .words(Settings.Log.Format.allCases.map(\.rawValue)),
        "text or json"
      ),
    ],
    examples: [
      .init("newsd run", "poll until Ctrl-C"),
      .init("newsd run --websub http://203.0.113.7:8787/", "hubs push feeds to port 8787 of this machine"),
      .init("newsd run --log-format json 2>> newsd.log", "with a log for programs"),
    ]
  ) { invocation, context in
    guard let signals = context.signals else {
      throw CommandFailure(.internalError, "run began without its signals")
    }
    let format = try invocation.choice("log-format", of: Settings.Log.Format.self)
    let (log, writer) = try openLog(format ?? context.settings.log.format, context)
    let callback = invocation.value("websub") ?? context.settings.webSub.callback
    if let callback {
      if let problem = CallbackAddress.problem(callback, listen: context.settings.webSub.listen) {
        throw UsageError("--websub: \(problem)", command: "run")
      }
    }
    let daemon = Daemon(context: context, log: log, writer: writer, callback: callback) {
      let loader = ConfigurationLoader(environment: context.environment)
      var settings = try loader.load(flag: invocation.value("config"))
      settings.store = loader.storePath(flag: invocation.value("db"), settings: settings)
      return settings
    }
    defer { writer.flush(milliseconds: 500) }
    return try await daemon.run(signals)
  }

  /// Creates the log, and the writer whose thread writes it.
  private static func openLog(
    _ format: Settings.Log.Format,
    _ context: CommandContext
  ) throws -> (DaemonLog, LogWriter) {
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
    guard writer.start() else { throw CommandFailure(.internalError, "cannot start a thread for the log") }
    let level: Settings.Log.Level =
      context.isVerbose ? .debug : context.isQuiet ? .warning : context.settings.log.level
    let log = DaemonLog(format: format, level: level, clock: clock, hasPriorities: hasPriorities) {
      writer.line($0)
    }
    return (log, writer)
  }
}
