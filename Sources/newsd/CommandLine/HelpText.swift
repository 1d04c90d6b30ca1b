import Modules
import NewsToolbox

/// Builds the text of `newsd help` from the command table.
struct HelpText {
  let table: [CommandSpec]
  let globalOptions: [OptionSpec]

  /// The answer to newsd without a command.
  static let greeting = """
    newsd \(Version.number): a news aggregator for servers and pipelines

    A command is missing. To begin, type:
      newsd feeds add https://example.org/   to subscribe to a site
      newsd fetch                            to fetch its items
      newsd list                             to list them

    'newsd help' lists all commands.

    """

  /// The overview: commands with summaries, global options, exit statuses.
  var overview: String {
    var text = """
      newsd: a news aggregator for servers and pipelines

      Usage: newsd [OPTION…] COMMAND [ARGUMENT…]

      Commands:

      """
    let width = (table.map(\.name.count).max() ?? 0) + 2
    for command in table {
      text += "  " + command.name.padded(to: width) + Self.wrapped(command.summary, indent: 2 + width) + "\n"
    }
    text += "\nOptions for every command:\n" + Self.list(globalOptions)
    text += "\nExit status:\n"
    for status in ExitStatus.allCases {
      let number = String(status.rawValue)
      text += "  " + number.padded(to: 5) + Self.wrapped(status.meaning, indent: 7) + "\n"
    }
    text += "\n'newsd help COMMAND' says more about one command.\n"
    return text
  }

  /// Help for the command that `path` names.
  func command(_ path: [String]) throws(UsageError) -> String {
    guard let first = path.first else { return overview }
    guard let command = table.first(where: { $0.name == first }) else {
      throw UsageError(
        "'\(first)' is not a command" + NameHint.text(for: first, among: table.map(\.name))
      )
    }
    guard path.count > 1 else { return page(command, name: "newsd \(command.name)") }
    guard let subcommand = command.subcommand(path[1]) else {
      throw UsageError(
        "'\(path[1])' is not a subcommand of \(first)"
          + NameHint.text(for: path[1], among: command.subcommands.map(\.name))
      )
    }
    return page(subcommand, name: "newsd \(first) \(subcommand.name)")
  }

  private func page(_ command: CommandSpec, name: String) -> String {
    var text = "\(name): \(command.summary)\n\n"
    if command.subcommands.isEmpty {
      text += "Usage: " + Self.usage(command, name: name) + "\n"
    } else {
      text += "Usage:\n"
      for subcommand in command.subcommands {
        let shown =
          subcommand.name == command.defaultSubcommand
          ? "\(name) [\(subcommand.name)]" : "\(name) \(subcommand.name)"
        text += "  " + Self.usage(subcommand, name: shown) + "\n      " + subcommand.summary + "\n"
      }
    }
    for paragraph in command.details.split(separator: "\n\n") {
      text += "\n" + Self.wrapped(String(paragraph), indent: 0) + "\n"
    }
    if !command.options.isEmpty { text += "\nOptions:\n" + Self.list(command.options) }
    if !command.settings.isEmpty {
      let width = (command.settings.map(\.name.count).max() ?? 0) + 2
      text += "\nSettings:\n"
      for setting in command.settings {
        text += "  " + setting.name.padded(to: width) + Self.wrapped(setting.help, indent: 2 + width) + "\n"
      }
    }
    for subcommand in command.subcommands where !subcommand.options.isEmpty {
      text += "\nOptions of \(subcommand.name):\n" + Self.list(subcommand.options)
    }
    let examples = command.examples + command.subcommands.flatMap(\.examples)
    if !examples.isEmpty {
      text += "\nExamples:\n"
      for example in examples { text += "  \(example.line)\n      \(example.meaning)\n" }
    }
    return text
  }

  static func usage(_ command: CommandSpec, name: String) -> String {
    let options = command.options.isEmpty ? [] : ["[OPTION…]"]
    return ([name] + options + command.operands.map(\.usage)).joined(separator: " ")
  }

  private static func list(_ options: [OptionSpec]) -> String {
    let width = min(34, (options.map(\.usage.count).max() ?? 0) + 2)
    return options.map { option in
      let usage = option.usage
      let gap = usage.count < width ? String(repeating: " ", count: width - usage.count) : "  "
      return "  " + usage + gap + wrapped(option.help, indent: 2 + width) + "\n"
    }.joined()
  }

  /// Wraps a text at white space to 80 columns. All lines but the first are indented.
  private static func wrapped(_ text: String, indent: Int) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      if !line.isEmpty, indent + line.count + 1 + word.count > 80 {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    lines.append(line)
    return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}
