/// Completions for bash, zsh and fish, from the command table.
///
/// Titles of feeds and folders are asked of newsd itself when they are wanted, so that they are never stale.
struct CompletionScript {
  enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

  let table: [CommandSpec]
  let globalOptions: [OptionSpec]

  func text(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  /// Each command with the words that name it.
  private var leaves: [(path: [String], command: CommandSpec)] {
    table.flatMap { command -> [(path: [String], command: CommandSpec)] in
      if command.subcommands.isEmpty { return [([command.name], command)] }
      return command.subcommands.map { ([command.name, $0.name], $0) }
    }
  }

  private func options(of command: CommandSpec) -> [OptionSpec] { command.options + globalOptions }

  // MARK: bash

  private var bash: String {
    var out = """
      # bash completion for newsd
      # Titles come from feeds: they are quoted, and never expanded as compgen -W would.
      _newsd_lines() {
        local line
        while IFS= read -r line; do
          if [[ -n $line && $line == "$cur"* ]]; then COMPREPLY+=("$(printf %q "$line")"); fi
        done < <(newsd "$@" 2>/dev/null | sort -u)
      }
      _newsd() {
        local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= sub= word i
        COMPREPLY=()
        for ((i = 1; i < COMP_CWORD; i++)); do
          word=${COMP_WORDS[i]}
          case $word in
          -*) ;;
          *) if [[ -z $command ]]; then command=$word; elif [[ -z $sub ]]; then sub=$word; fi ;;
          esac
        done
        case $prev in

      """
    var seen: Set<String> = []
    for option in leaves.flatMap({ options(of: $0.command) }) where option.value != nil {
      guard seen.insert(option.long).inserted, let action = Self.bashAction(option.completion) else {
        continue
      }
      let names = (option.short.map { "-\($0)|" } ?? "") + "--\(option.long)"
      out += "  \(names)) \(action); return ;;\n"
    }
    out += "  esac\n  case \"$command $sub\" in\n"
    for (path, command) in leaves {
      let words = options(of: command).map { "--\($0.long)" }.joined(separator: " ")
      let pattern = path.count == 1 ? "\"\(path[0]) \"*" : "\"\(path[0]) \(path[1])\""
      let operand = command.operands.first.flatMap { Self.bashAction($0.completion) } ?? ":"
      out +=
        "  \(pattern)) if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"\(words)\" -- \"$cur\")); else \(operand); fi ;;\n"
    }
    for command in table where !command.subcommands.isEmpty {
      let names = command.subcommands.map(\.name).joined(separator: " ")
      out += "  \"\(command.name) \"*) COMPREPLY=($(compgen -W \"\(names)\" -- \"$cur\")) ;;\n"
    }
    let commands = table.map(\.name).joined(separator: " ")
    let globals = globalOptions.map { "--\($0.long)" }.joined(separator: " ")
    out += """
        *) COMPREPLY=($(compgen -W "\(commands) \(globals)" -- "$cur")) ;;
        esac
      }
      complete -F _newsd newsd

      """
    return out
  }

  private static func bashAction(_ completion: OptionSpec.Completion) -> String? {
    switch completion {
    case .none: nil
    case .file: "COMPREPLY=($(compgen -f -- \"$cur\"))"
    case .directory: "COMPREPLY=($(compgen -d -- \"$cur\"))"
    case .words(let words):
      "COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$cur\"))"
    case .feeds: "_newsd_lines feeds list --format tsv --fields title"
    case .folders: "_newsd_lines feeds list --format tsv --fields folder"
    case .fields: bashAction(.words(FieldNames.all))
    }
  }

  // MARK: zsh

  private var zsh: String {
    var out = """
      #compdef newsd
      # zsh completion for newsd
      _newsd_column() { local -a found; found=(${(fu)"$(newsd feeds list --format tsv --fields $1 2>/dev/null)"}); compadd -a found; }
      _newsd_feeds() { _newsd_column title; }
      _newsd_folders() { _newsd_column folder; }
      _newsd() {
        local context state line
        local -a commands
        commands=(

      """
    for command in table { out += "    \(Self.zshQuote(command.name + ":" + command.summary))\n" }
    out += "  )\n  local command= sub= word\n"
    out += """
        for word in ${words[2,CURRENT-1]}; do
          case $word in
          -*) ;;
          *) if [[ -z $command ]]; then command=$word; elif [[ -z $sub ]]; then sub=$word; fi ;;
          esac
        done
        case "$command $sub" in

      """
    for (path, command) in leaves {
      let pattern = path.count == 1 ? "\"\(path[0]) \"*" : "\"\(path[0]) \(path[1])\""
      var arguments = options(of: command).map(Self.zshArgument)
      let operand = command.operands.first?.completion ?? .none
      arguments.append(Self.zshQuote("*::" + Self.zshMessage(command) + ":" + Self.zshAction(operand)))
      out += "  \(pattern)) _arguments -s -S \(arguments.joined(separator: " ")) ;;\n"
    }
    for command in table where !command.subcommands.isEmpty {
      let names = command.subcommands.map(\.name).joined(separator: " ")
      out += "  \"\(command.name) \"*) compadd \(names) ;;\n"
    }
    out += "  *) _describe command commands ;;\n  esac\n}\n_newsd \"$@\"\n"
    return out
  }

  private static func zshMessage(_ command: CommandSpec) -> String {
    command.operands.first?.name.lowercased() ?? "argument"
  }

  private static func zshArgument(_ option: OptionSpec) -> String {
    let help = option.help.filter { !"[]:".contains($0) }
    let tail =
      option.value.map { ":\($0.lowercased().filter { $0 != ":" }):" + zshAction(option.completion) } ?? ""
    return zshQuote("--\(option.long)[\(help)]\(tail)")
  }

  private static func zshAction(_ completion: OptionSpec.Completion) -> String {
    switch completion {
    case .none: " "
    case .file: "_files"
    case .directory: "_files -/"
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .feeds: "_newsd_feeds"
    case .folders: "_newsd_folders"
    case .fields: zshAction(.words(FieldNames.all))
    }
  }

  private static func zshQuote(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  // MARK: fish

  private var fish: String {
    var out = """
      # fish completion for newsd
      complete -c newsd -f

      """
    for command in table {
      out +=
        "complete -c newsd -n __fish_use_subcommand -a \(command.name) -d \(Self.fishQuote(command.summary))\n"
      for subcommand in command.subcommands {
        out +=
          "complete -c newsd -n '__fish_seen_subcommand_from \(command.name)' -a \(subcommand.name)"
          + " -d \(Self.fishQuote(subcommand.summary))\n"
      }
    }
    for option in globalOptions { out += "complete -c newsd" + Self.fishOption(option) + "\n" }
    for (path, command) in leaves {
      let condition = path.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
      for option in command.options {
        out += "complete -c newsd -n '\(condition)'" + Self.fishOption(option) + "\n"
      }
      if let operand = command.operands.first, let action = Self.fishAction(operand.completion) {
        out += "complete -c newsd -n '\(condition)' \(action)\n"
      }
    }
    return out
  }

  private static func fishOption(_ option: OptionSpec) -> String {
    var out = " -l \(option.long)"
    if let short = option.short { out += " -s \(short)" }
    if option.value != nil {
      out += " -x"
      if let action = fishAction(option.completion) { out += " " + action }
    }
    return out + " -d \(fishQuote(option.help))"
  }

  private static func fishAction(_ completion: OptionSpec.Completion) -> String? {
    switch completion {
    case .none: nil
    case .file: "-F"
    case .directory: "-a '(__fish_complete_directories)'"
    case .words(let words): "-a '\(words.joined(separator: " "))'"
    case .feeds: "-a '(newsd feeds list --format tsv --fields title 2>/dev/null)'"
    case .folders: "-a '(newsd feeds list --format tsv --fields folder 2>/dev/null)'"
    case .fields: fishAction(.words(FieldNames.all))
    }
  }

  private static func fishQuote(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'") + "'"
  }
}
