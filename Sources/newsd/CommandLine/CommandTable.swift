/// All commands and options of newsd.
enum CommandTable {
  static let globalOptions = [
    OptionSpec("config", value: "FILE", completion: .file, "the configuration file"),
    OptionSpec("db", value: "PATH", completion: .file, "the store's file"),
    OptionSpec("quiet", short: "q", "nothing but results and errors"),
    OptionSpec("verbose", short: "v", "say more"),
    OptionSpec(
      "color",
      value: "WHEN",
      completion: .words(["auto", "always", "never"]),
      "colours: auto (on a terminal), always, never"
    ),
    OptionSpec("help", short: "h", "help, also for the command named"),
    OptionSpec("version", "the version"),
  ]

  static let commands: [CommandSpec] = [
    runCommand, fetchCommand, listCommand, showCommand, searchCommand, followCommand, markCommand,
    feedsCommand,
    rulesCommand, changesCommand, statusCommand, parseCommand, ingestCommand, importCommand, exportCommand,
    backupCommand, pruneCommand, checkCommand, replayCommand, debugCommand,
    completionsCommand,
    manualCommand, helpCommand, versionCommand,
  ]

  /// The command or subcommand that a path such as `["feeds", "add"]` names.
  static func command(_ path: [String]) -> CommandSpec? {
    guard let command = commands.first(where: { $0.name == path.first }) else { return nil }
    return path.count > 1 ? command.subcommand(path[1]) : command
  }
}
