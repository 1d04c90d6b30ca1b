import DIContainer
import Glibc

extension CommandTable {
  static let runCommands = [Entry("run") { runCommand }]

  /// The port of `--web`.
  private static let webPort = 8788

  static func webAddress(_ invocation: Invocation) -> String? {
    invocation.path == ["run"] && invocation.has("web") ? "127.0.0.1:\(webPort)" : nil
  }

  static let runCommand = CommandSpec(
    "run",
    "run the daemon: poll every feed when it is due",
    details: """
      Stays in the foreground until SIGTERM or SIGINT. On SIGHUP, newsd reloads the configuration; on SIGUSR1,
      it polls the feeds now, due or not. The log on standard error lists refreshes that found new items or
      failed for a new reason, and has a summary per minute; log.level in the configuration changes how much
      it lists. newsd tells the service manager when it is ready, alive and stopping (sd_notify).

      With accounts.dir or accounts.store in the configuration, newsd serves all accounts, and opens and closes
      their stores as they appear and disappear there.

      With --websub, newsd asks a feed's hub to push the feed's new items (W3C WebSub). While the hub pushes a
      feed, newsd polls the feed only at the maximum interval. URL is the address at which hubs reach newsd
      from outside. newsd listens on the port of URL, at the address in URL or, if URL has a host name, at all
      IPv4 addresses. If a reverse proxy listens there instead (always for https), set websub.listen in the
      configuration to newsd's own address and port.

      With --web, newsd serves the page on this machine only, on port \(webPort), whatever web.listen says, and
      prints its address. If no login password is set, that is the set-up address, where you set one.
      """,
    options: [
      OptionSpec("web", "serve the page at http://127.0.0.1:\(webPort)/ and print the address to open"),
      OptionSpec("websub", value: "URL", "have hubs push feeds to this URL"),
      OptionSpec(
        "log-format",
        value: "FORMAT",
        completion: .words(Settings.Log.Format.allCases.map(\.rawValue)),
        "text or json"
      ),
    ],
    isHeavy: true,
    accounts: .none,
    signals: [SIGTERM, SIGINT, SIGHUP, SIGUSR1],
    examples: [
      .init("newsd run", "poll until Ctrl-C"),
      .init("newsd run --web", "poll, and read in a browser on this machine"),
      .init("newsd run --websub http://203.0.113.7:8787/", "hubs push feeds to port 8787 of this machine"),
      .init("newsd run --log-format json 2>> newsd.log", "write the log as JSON"),
    ]
  ) { invocation, context in
    if context.accounts != nil, invocation.has("account") {
      throw UsageError("run serves all accounts; leave out --account", command: "run")
    }
    let typed = invocation.value("websub")
    if typed != nil, let key = context.settings.accounts.key {
      throw UsageError("--websub cannot be used together with \(key)", command: "run")
    }
    if let callback = typed ?? context.settings.webSub.callback,
      let problem = CallbackAddress.problem(callback, listen: context.settings.webSub.listen)
    {
      throw UsageError("\(typed == nil ? "websub.callback" : "--websub"): \(problem)", command: "run")
    }
    let format = try invocation.choice("log-format", of: Settings.Log.Format.self)
    return .run { _ in
      try await DaemonStart(context: context, invocation: invocation).run(callback: typed, format)
    }
  }
}

extension Settings {
  /// Applies `run --web`, which takes precedence over `web.listen`.
  mutating func applyWebOption(of invocation: Invocation) {
    guard let address = CommandTable.webAddress(invocation) else { return }
    web.listen = address
    web.page = true
  }
}
