import DIContainer
import Modules
import NewsService

extension CommandTable {
  static let runCommand = CommandSpec(
    "run",
    "the daemon: poll every feed when it is due",
    details: """
      Stays in the foreground until SIGTERM or SIGINT. SIGHUP reads the configuration again, SIGUSR1 polls everything
      now. Logs one line for each refresh on standard error; speaks sd_notify where a service manager listens.
      """,
    options: [
      OptionSpec(
        "log-format",
        value: "FORMAT",
        completion: .words(Settings.Log.Format.allCases.map(\.rawValue)),
        "text or json"
      )
    ],
    examples: [
      .init("newsd run", "poll until Ctrl-C"),
      .init("newsd run --log-format json 2>> newsd.log", "with a log for programs"),
    ]
  ) { invocation, context in
    guard let signals = context.signals else {
      throw CommandFailure(.internalError, "run began without its signals")
    }
    let log = DaemonLog(
      format: try invocation.choice("log-format", of: Settings.Log.Format.self)
        ?? context.settings.log.format,
      isVerbose: context.isVerbose,
      isQuiet: context.isQuiet,
      clock: context.services.clock
    )
    let daemon = Daemon(context: context, log: log) {
      try ConfigurationLoader(environment: context.environment).load(flag: invocation.value("config"))
    }
    return try await daemon.run(signals)
  }
}
