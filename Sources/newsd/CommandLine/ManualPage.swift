import Modules

/// Builds the manual page newsd(1) in mdoc(7) from the command table.
struct ManualPage {
  let table: [CommandSpec]
  let globalOptions: [OptionSpec]
  /// The date in the form of mdoc's `.Dd`: `November 21, 2026`.
  let date: String

  var text: String {
    var out = """
      .Dd \(date)
      .Dt NEWSD 1
      .Os
      .Sh NAME
      .Nm newsd
      .Nd news aggregator for servers and pipelines
      .Sh SYNOPSIS
      .Nm newsd
      .Op Ar option ...
      .Ar command
      .Op Ar argument ...
      .Sh DESCRIPTION
      .Nm
      gathers news feeds (RSS, Atom, RDF, JSON Feed) into one store and turns
      them into headlines that people and programs can use:
      as a fetcher that runs for months, as one-shot queries answered from the
      local store, and as streams for other tools.
      .Pp
      Options may be given before or after the command.
      Results go to standard output, everything else to standard error.
      .Pp
      Every command takes these options:

      """
    out += Self.list(globalOptions)
    out += ".Sh COMMANDS\n"
    for command in table {
      if command.subcommands.isEmpty {
        out += section(command, name: command.name)
      } else {
        for subcommand in command.subcommands {
          out += section(subcommand, name: "\(command.name) \(subcommand.name)")
        }
      }
    }
    out += """
      .Sh ENVIRONMENT
      .Bl -tag -width Ds
      .It Ev NEWSD_DB
      The store: a file, or an address of PostgreSQL.
      .It Ev NEWSD_CONFIG
      The configuration file.
      .It Ev NEWSD_ALLOW_PRIVATE
      If set to 1, newsd also fetches feeds at local and private addresses.
      .It Ev NO_COLOR , CLICOLOR_FORCE
      With NO_COLOR, output has no colour; with CLICOLOR_FORCE, it always has colour.
      .It Ev NEWSD_PAGER , PAGER
      The pager for long output on a terminal.
      .It Ev COLUMNS
      The width of text output.
      .El
      .Pp
      Every key of the configuration has a variable too:
      .Li NEWSD_
      and the key in capitals, with an underscore for the dot. For example,
      .Ev NEWSD_WEB_FOLDER_SEPARATOR
      is the key
      .Li web.folder_separator ,
      the text between the names of nested folders in the sync protocols
      .Pq a slash unless set .
      .Sh FILES
      .Bl -tag -width Ds
      .It Pa ~/.local/share/newsd/newsd.db
      The store, unless
      .Fl \\-db ,
      .Ev NEWSD_DB ,
      the configuration,
      .Ev STATE_DIRECTORY
      or
      .Ev XDG_DATA_HOME
      name another. Root without a file there uses
      .Pa /var/lib/newsd/newsd.db ,
      the service's store, if it exists. If the service is installed and has no store yet, root's commands
      make no store: start the service first, or name one.
      .It Pa ~/.config/newsd/newsd.yaml , /etc/newsd/newsd.yaml
      The configuration.
      .El
      .Sh EXIT STATUS
      .Bl -tag -width Ds

      """
    for status in ExitStatus.allCases {
      out += ".It Er \(status.rawValue)\n\(Self.sentence(status.meaning))\n"
    }
    out += """
      .El
      .Sh EXAMPLES
      .Bl -tag -width Ds

      """
    for command in table {
      for example in (command.examples + command.subcommands.flatMap(\.examples)).prefix(1) {
        out += ".It Li \(Self.argument(example.line))\n\(Self.sentence(example.meaning))\n"
      }
    }
    out += """
      .El
      .Sh SEE ALSO
      .Xr sfeed 1 ,
      .Xr systemd.service 5

      """
    return out
  }

  private func section(_ command: CommandSpec, name: String) -> String {
    var out = ".Ss \(Self.escape(name))\n.Nm newsd\n.Cm \(Self.escape(name))\n"
    if !command.options.isEmpty { out += ".Op Ar option ...\n" }
    for operand in command.operands {
      let word = Self.escape(operand.name)
      switch operand.count {
      case .one: out += ".Ar \(word)\n"
      case .optional: out += ".Op Ar \(word)\n"
      case .many: out += ".Op Ar \(word) ...\n"
      case .oneOrMore: out += ".Ar \(word) ...\n"
      }
    }
    out += ".Pp\n\(Self.sentence(command.summary))\n"
    if !command.details.isEmpty {
      out += Self.paragraph(command.details)
    }
    if !command.options.isEmpty { out += Self.list(command.options) }
    if !command.settings.isEmpty {
      out += ".Bl -tag -width Ds\n"
      for setting in command.settings {
        out += ".It Cm \(Self.escape(setting.name))\n" + Self.sentence(setting.help) + "\n"
      }
      out += ".El\n"
    }
    return out
  }

  private static func list(_ options: [OptionSpec]) -> String {
    var out = ".Bl -tag -width Ds\n"
    for option in options {
      var item = ".It "
      if let short = option.short { item += "Fl \(short) , " }
      item += "Fl \\-\(escape(option.long))"
      if let value = option.value { item += " Ar \(escape(value))" }
      var values: [String] = []
      if case .words(let words) = option.completion { values = words }
      out += item + "\n" + sentence(option.help, values: values) + "\n"
    }
    return out + ".El\n"
  }

  /// Converts text to a sentence. Capitalizes the first word unless it is a value to be typed.
  private static func sentence(_ text: String, values: [String] = []) -> String {
    guard let first = text.first else { return "" }
    let word = String(text.prefix { $0 != " " && $0 != "," })
    let isProse =
      !values.contains(word) && word.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0 == "'" }
    let capitalized = isProse ? first.uppercased() + text.dropFirst() : text
    return String(
      paragraph(capitalized + (capitalized.last.map { ".?!".contains($0) } == true ? "" : ".")).dropLast()
    )
  }

  /// Formats a paragraph for mdoc: each sentence starts a new line, and no line is longer than 78 columns.
  private static func paragraph(_ text: String) -> String {
    var out = ""
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      let word = escape(String(word))
      if !line.isEmpty, line.count + 1 + word.count > 78 {
        out += line + "\n"
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
      if word.hasSuffix(".") || word.hasSuffix("?") {
        out += line + "\n"
        line = ""
      }
    }
    return line.isEmpty ? out : out + line + "\n"
  }

  /// Quotes a text as one argument of a macro.
  private static func argument(_ text: String) -> String {
    "\"" + escape(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  /// Escapes backslashes, hyphens, and a leading dot or quote, which would begin a request.
  private static func escape(_ text: String) -> String {
    var out = ""
    for character in text {
      switch character {
      case "\\": out += "\\e"
      case "-": out += "\\-"
      case "…": out += "..."
      case "•": out += "\\(bu"
      default: out.append(character)
      }
    }
    return out.hasPrefix(".") || out.hasPrefix("'") ? "\\&" + out : out
  }
}
