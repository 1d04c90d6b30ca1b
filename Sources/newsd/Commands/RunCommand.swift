import DIContainer
import Modules

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
    if let callback = invocation.value("websub") ?? context.settings.webSub.callback,
      let problem = CallbackAddress.problem(callback, listen: context.settings.webSub.listen)
    {
      throw UsageError("--websub: \(problem)", command: "run")
    }
    let format = try invocation.choice("log-format", of: Settings.Log.Format.self)
    return .daemon(DaemonRoute(callback: invocation.value("websub"), logFormat: format?.rawValue))
  }
}
