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

  /// A command by its name. Only the commands that are asked for are built: a start needs one of them.
  struct Entry: Sendable {
    let name: String
    let command: @Sendable () -> CommandSpec

    init(_ name: String, _ command: @escaping @Sendable () -> CommandSpec) {
      self.name = name
      self.command = command
    }
  }

  /// The commands in the order of help. Each file of the folder Commands has one list.
  static let entries = Array(
    [
      runCommands, readCommands, fetchingCommands, readingCommands, followCommands, markingCommands,
      feedCommands, ruleCommands, hookCommands, nodeCommands, statusCommands, webCommands, mcpCommands,
      documentCommands, storeCommands, accountCommands, upgradeCommands, supportCommands,
      completionsCommands, helpCommands,
    ].joined()
  )

  static var commands: [CommandSpec] { entries.map { $0.command() } }

  /// The command or subcommand that a path such as `["feeds", "add"]` names.
  static func command(_ path: [String]) -> CommandSpec? {
    guard let command = entries.first(where: { $0.name == path.first })?.command() else { return nil }
    return path.count > 1 ? command.subcommand(path[1]) : command
  }
}
