import DIContainer
import Glibc
import Modules
import NewsText
import NewsToolbox

/// A parsed command line. If its command handles signals, they are handled as soon as this exists.
struct CommandStart: Sendable {
  /// Nil: there are no words.
  private(set) var invocation: Invocation?
  /// The command that the words name.
  private(set) var command: CommandSpec?
  /// Why the command cannot be run.
  private(set) var error: (any Error)?
  private(set) var signals: SignalStream?

  init(_ words: [String]) {
    guard !words.isEmpty else { return }
    do {
      let parser = ArgumentParser(table: CommandTable.entries, globalOptions: CommandTable.globalOptions)
      let invocation = try parser.parse(words)
      self.invocation = invocation
      guard let command = CommandTable.command(invocation.path) else { return }
      self.command = command
      if command.isHeavy.holds(invocation) {
        try StartLimits.check(StartLimits.fetching, for: "newsd " + invocation.path.joined(separator: " "))
      }
      if !command.signals.isEmpty { signals = SignalStream(command.signals) }
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
      guard let invocation = start.invocation, let command = start.command else {
        StandardError.write(HelpText.greeting)
        return .usage
      }
      return try await run(
        command,
        invocation,
        try await makeContext(command, invocation, signals: start.signals)
      )
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

  private func run(
    _ command: CommandSpec,
    _ invocation: Invocation,
    _ context: CommandContext
  ) async throws -> ExitStatus {
    let status: ExitStatus
    do {
      guard let task = try command.action?(invocation, context) else { return .internalError }
      let changes = command.changesStore.holds(invocation)
      // The upgrade reports its failure itself.
      let upgrade = changes ? try await context.configurator(invocation).upgradeBeforeChange() : .done
      status = upgrade == .done ? try await context.run(task, invocation) : upgrade
    } catch {
      await context.close()
      throw error
    }
    await context.close()
    return status
  }

  private func makeContext(
    _ command: CommandSpec,
    _ invocation: Invocation,
    signals: SignalStream?
  ) async throws -> CommandContext {
    // Help must work with an invalid configuration.
    let isConfigured = command.readsConfiguration.holds(invocation)
    let loader = ConfigurationLoader(environment: environment)
    let flags = globalOptions(invocation)
    var settings = isConfigured ? try loader.load(flag: flags["config"]) : Settings()
    settings.applyWebOption(of: invocation)
    if isConfigured {
      for warning in loader.warnings + settings.configurationWarnings {
        StandardError.line("newsd: \(warning)")
      }
    }
    let accounts = isConfigured ? try makeAccounts(settings, flags) : nil
    var isForAllAccounts = false
    var services: ServiceContainer?
    if let accounts {
      let name = flags["account"] ?? environment["NEWSD_ACCOUNT"].flatMap { $0.isEmpty ? nil : $0 }
      let choice = AccountChoice(command: command, invocation: invocation, name: name)
      switch try await choice.target(among: accounts) {
      case .one(let account):
        settings = accounts.settings(of: account)
        services = try accounts.container(forCommandOn: account)
      case .all: isForAllAccounts = true
      case .none: break
      }
    } else {
      let isNamed = loader.isStoreNamed(flag: flags["db"], settings: settings)
      if invocation.path != ["completions"], !invocation.has("quiet") {
        settings.storeNote = loader.storeNote(flag: flags["db"], settings: settings)
      }
      settings.store = loader.storePath(flag: flags["db"], settings: settings)
      settings.storeMustExist = command.needsStore && (isNamed || !command.makesDefaultStore)
      // 'newsd run' may be the service itself.
      if invocation.path != ["run"], let advice = loader.serviceAdvice(flag: flags["db"], settings: settings)
      {
        settings.storeMustExist = true
        settings.missingStoreAdvice = advice
      }
    }
    return CommandContext(
      environment: environment,
      settings: settings,
      services: services
        ?? ServiceContainer(settings: settings, environment: environment, program: Version.program),
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
    let set = try AccountSet(settings: settings, environment: environment, program: Version.program)
    guard let set, let key = settings.accounts.key else {
      let source =
        flags["account"] != nil
        ? "--account" : environment["NEWSD_ACCOUNT"]?.isEmpty == false ? "NEWSD_ACCOUNT" : nil
      guard let source else { return nil }
      throw ConfigurationError(
        message:
          "\(source) names an account, but neither accounts.dir nor accounts.store is set in the configuration"
      )
    }
    guard flags["db"] == nil else {
      throw ConfigurationError(
        message: "--db cannot be used together with \(key); use --account NAME instead"
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
