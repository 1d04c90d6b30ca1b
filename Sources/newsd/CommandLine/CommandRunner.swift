import DIContainer
import Glibc
import Modules
import NewsText
import NewsToolbox

/// A parsed command line. If its command handles signals, they are handled as soon as this exists.
struct CommandStart: Sendable {
  /// The command; nil: there are no words.
  private(set) var invocation: Invocation?
  /// Why the command cannot be run.
  private(set) var error: (any Error)?
  private(set) var signals: SignalStream?

  init(_ words: [String]) {
    guard !words.isEmpty else { return }
    do {
      let parser = ArgumentParser(table: CommandTable.entries, globalOptions: CommandTable.globalOptions)
      let invocation = try parser.parse(words)
      self.invocation = invocation
      if [["run"], ["read"], ["fetch"], ["follow"], ["feeds", "add"]].contains(invocation.path) {
        try StartLimits.check(StartLimits.fetching, for: "newsd " + invocation.path.joined(separator: " "))
      }
      signals =
        switch invocation.path {
        case ["run"]: SignalStream([SIGTERM, SIGINT, SIGHUP, SIGUSR1])
        case ["follow"]: SignalStream([SIGTERM, SIGINT])
        case ["read"]: SignalStream([SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP])
        default: nil
        }
    } catch {
      self.error = error
    }
  }
}

/// Runs a command line and returns its exit status.
struct CommandRunner: Sendable {
  let environment: [String: String]

  /// Loads the configuration, runs the command, and reports an error in one line.
  func run(_ start: CommandStart) async -> ExitStatus {
    do {
      if let error = start.error { throw error }
      guard let invocation = start.invocation else {
        StandardError.write(HelpText.greeting)
        return .usage
      }
      return try await run(invocation, try makeContext(invocation, signals: start.signals))
    } catch is PagerLeft {
      return .done
    } catch OutputError.closed {
      StandardOutput.endByBrokenPipe()
    } catch {
      let (status, message) = ErrorReport.describe(error, path: start.invocation?.path)
      StandardError.line("newsd: \(message)")
      return status
    }
  }

  private func run(_ invocation: Invocation, _ context: CommandContext) async throws -> ExitStatus {
    let status: ExitStatus
    do {
      guard let action = CommandTable.command(invocation.path)?.action else { return .internalError }
      let upgrade = try await upgradeStore(before: invocation, context)
      status = upgrade == .done ? try await context.run(try action(invocation, context), invocation) : upgrade
    } catch {
      await context.services.close()
      throw error
    }
    await context.services.close()
    return status
  }

  private func makeContext(_ invocation: Invocation, signals: SignalStream?) throws -> CommandContext {
    let isAboutItself =
      ["help", "version", "manual"].contains(invocation.path[0])
      || invocation.path == ["completions"] && invocation.operands.count < 2
    let loader = ConfigurationLoader(environment: environment)
    let flags = globalOptions(invocation)
    // Help must work with an invalid configuration.
    var settings = isAboutItself ? Settings() : try loader.load(flag: flags["config"])
    settings.applyWebOption(of: invocation)
    if !isAboutItself {
      for warning in loader.warnings + settings.configurationWarnings {
        StandardError.line("newsd: \(warning)")
      }
    }
    let command = CommandTable.command(invocation.path)
    let accounts = isAboutItself ? nil : try makeAccounts(settings, flags)
    var isForAllAccounts = false
    if let accounts {
      let name = flags["account"] ?? environment["NEWSD_ACCOUNT"].flatMap { $0.isEmpty ? nil : $0 }
      switch try AccountChoice(invocation: invocation, name: name).target(among: accounts) {
      case .one(let account): settings = accounts.settings(of: account)
      case .all: isForAllAccounts = true
      case .none: break
      }
    } else {
      let isNamed = loader.isStoreNamed(flag: flags["db"], settings: settings)
      if invocation.path != ["completions"], !invocation.has("quiet") {
        settings.storeNote = loader.storeNote(flag: flags["db"], settings: settings)
      }
      settings.store = loader.storePath(flag: flags["db"], settings: settings)
      settings.storeMustExist =
        command?.needsStore == true && (isNamed || command?.makesDefaultStore != true)
    }
    return CommandContext(
      environment: environment,
      settings: settings,
      services: ServiceContainer(settings: settings, environment: environment, program: Version.program),
      accounts: accounts,
      isForAllAccounts: isForAllAccounts,
      isQuiet: invocation.has("quiet"),
      isVerbose: invocation.has("verbose"),
      probe: TerminalProbe(
        environment: environment,
        color: try invocation.choice("color", of: TerminalProbe.ColorChoice.self) ?? .auto
      ),
      signals: signals
    )
  }

  /// The accounts of the configuration; nil: there is one store. Refuses options that do not fit.
  private func makeAccounts(_ settings: Settings, _ flags: [String: String]) throws -> AccountSet? {
    let set = AccountSet(settings: settings, environment: environment, program: Version.program)
    guard set != nil else {
      let source =
        flags["account"] != nil
        ? "--account" : environment["NEWSD_ACCOUNT"]?.isEmpty == false ? "NEWSD_ACCOUNT" : nil
      guard let source else { return nil }
      throw ConfigurationError(
        message: "\(source) names an account, but accounts.dir is not set in the configuration"
      )
    }
    guard flags["db"] == nil else {
      throw ConfigurationError(
        message: "--db cannot be used together with accounts.dir; use --account NAME instead"
      )
    }
    return set
  }

  /// The options `--config`, `--db` and `--account`. For `completions`, they are taken from the words that are being
  /// completed.
  private func globalOptions(_ invocation: Invocation) -> [String: String] {
    guard invocation.path == ["completions"] else {
      var options: [String: String] = [:]
      for name in ["config", "db", "account"] { options[name] = invocation.value(name) }
      return options
    }
    // The shell has not expanded `~` yet.
    let home = environment["HOME"] ?? ""
    return CommandTable.completions(of: Array(invocation.operands.dropFirst())).options
      .mapValues { $0.hasPrefix(bytesOf: "~/") ? home + $0.dropFirst() : $0 }
  }

  static func processEnvironment() -> [String: String] {
    var variables: [String: String] = [:]
    var pointer = environ
    while let entry = pointer.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      pointer += 1
    }
    return variables
  }
}
