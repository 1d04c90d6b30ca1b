import DIContainer
import Glibc
import NewsService

/// From the words of the command line to the exit status.
struct CommandRunner: Sendable {
  let environment: [String: String]

  /// Parses, settles the configuration, runs the command, reports an error in one line.
  func run(_ words: [String]) async -> ExitStatus {
    let output = StandardOutput()
    do {
      let parser = ArgumentParser(table: CommandTable.commands, globalOptions: CommandTable.globalOptions)
      let invocation = try parser.parse(words)
      let context = try makeContext(invocation, output: output)
      let status = try await invocation.command.action?(invocation, context) ?? .internalError
      try output.flush()
      return status
    } catch {
      // What was printed before the failure is as good as what a pipe has read already.
      try? output.flush()
      let (status, message) = ErrorReport.describe(error)
      StandardError.line("newsd: \(message)")
      return status
    }
  }

  private func makeContext(_ invocation: Invocation, output: StandardOutput) throws -> CommandContext {
    let isAboutItself = ["help", "version", "completions", "manual"].contains(invocation.path[0])
    let loader = ConfigurationLoader(environment: environment)
    // A broken configuration must not keep the help from being read.
    var settings = isAboutItself ? Settings() : try loader.load(flag: invocation.value("config"))
    settings.store = loader.storePath(flag: invocation.value("db"), settings: settings)
    return CommandContext(
      environment: environment,
      settings: settings,
      services: ServiceContainer(settings: settings, environment: environment),
      output: output,
      isQuiet: invocation.has("quiet"),
      isVerbose: invocation.has("verbose")
    )
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
