/// All commands and options of newsd.
enum CommandTable {
  static let globalOptions = [
    OptionSpec("config", value: "FILE", completion: .file, "read the configuration from FILE"),
    OptionSpec(
      "db",
      value: "PATH",
      completion: .file,
      "use the store at PATH, or at a postgresql:// address"
    ),
    OptionSpec(
      "account",
      value: "NAME",
      "use the store of the account NAME, if the configuration has accounts"
    ),
    OptionSpec("quiet", short: "q", "print results and errors only"),
    OptionSpec("verbose", short: "v", "print more messages"),
    OptionSpec(
      "color",
      value: "WHEN",
      completion: .words(["auto", "always", "never"]),
      "use colour: auto (on a terminal), always or never"
    ),
    OptionSpec("help", short: "h", "print help for COMMAND, or the list of commands"),
    OptionSpec("version", "print the version"),
  ]

  static let commands: [CommandSpec] =
    [runCommand, readCommand, fetchCommand] + readingCommands
    + [
      followCommand, markCommand, labelCommand, saveCommand, feedsCommand, rulesCommand, hooksCommand,
      nodesCommand, changesCommand,
      statusCommand, webCommand, mcpCommand, parseCommand, ingestCommand,
    ] + storeCommands + [
      accountsCommand, upgradeCommand, supportCommand, replayCommand, debugCommand, completionsCommand,
    ]
    + helpCommands

  /// The command or subcommand that a path such as `["feeds", "add"]` names.
  static func command(_ path: [String]) -> CommandSpec? {
    guard let command = commands.first(where: { $0.name == path.first }) else { return nil }
    return path.count > 1 ? command.subcommand(path[1]) : command
  }
}
