import NewsToolbox

/// Parses the words of a command line into an `Invocation`, as the command table defines.
///
/// GNU style: `--opt=value`, `--opt value`, `-n5`, `-n 5`, `-qh`; options before or after the command; `--` ends
/// options; no abbreviations. After the first word of a query, only exact names of known options are options.
struct ArgumentParser {
  let table: [CommandTable.Entry]
  let globalOptions: [OptionSpec]

  /// Parses the words. Throws a `UsageError` that names the wrong word and the most similar correct one.
  func parse(_ words: [String]) throws(UsageError) -> Invocation {
    var state = State()
    var index = 0
    while index < words.count {
      let word = words[index]
      index += 1
      if state.isEnded || word == "-" || !word.hasPrefix("-") {
        try accept(word, into: &state)
        continue
      }
      if word == "--" {
        state.isEnded = true
        continue
      }
      if word.hasPrefix("--") {
        try parseLong(word, words, &index, &state)
      } else {
        try parseShort(word, words, &index, &state)
      }
    }
    return try finish(state)
  }

  private struct State {
    var path: [String] = []
    var command: CommandSpec?
    var options: [String: [String]] = [:]
    var operands: [String] = []
    var isEnded = false

    var isInQuery: Bool { command?.takesQuery == true && !operands.isEmpty }
  }

  private func accept(_ word: String, into state: inout State) throws(UsageError) {
    guard let command = state.command else {
      guard let found = table.first(where: { $0.name == word })?.command() else {
        let names = table.map(\.name)
        throw UsageError("'\(word)' is not a command" + NameHint.text(for: word, among: names))
      }
      state.command = found
      state.path = [word]
      return
    }
    if command.subcommands.isEmpty {
      state.operands.append(word)
      return
    }
    guard let found = command.subcommand(word) else {
      let names = command.subcommands.map(\.name)
      throw UsageError(
        "'\(word)' is not a subcommand of \(command.name)" + NameHint.text(for: word, among: names),
        command: command.name
      )
    }
    state.command = found
    state.path.append(word)
  }

  private func parseLong(
    _ word: String,
    _ words: [String],
    _ index: inout Int,
    _ state: inout State
  ) throws(UsageError) {
    let body = word.dropFirst(2)
    let equals = body.firstIndex(of: "=")
    let name = String(equals.map { body[..<$0] } ?? body)
    guard let option = known(name, in: state) else {
      if state.isInQuery {
        state.operands.append(word)
        return
      }
      let names = legalOptions(of: state.command).map(\.long)
      throw UsageError(
        "unknown option --\(name)" + NameHint.text(for: name, among: names, prefix: "--"),
        command: state.path.first
      )
    }
    if option.value == nil {
      if equals != nil {
        throw UsageError("--\(name) takes no value", command: state.path.first)
      }
      state.options[option.long, default: []].append("")
      return
    }
    if let equals {
      state.options[option.long, default: []].append(String(body[body.index(after: equals)...]))
      return
    }
    guard index < words.count else {
      throw UsageError("--\(name) needs a value (\(option.value ?? ""))", command: state.path.first)
    }
    state.options[option.long, default: []].append(words[index])
    index += 1
  }

  private func parseShort(
    _ word: String,
    _ words: [String],
    _ index: inout Int,
    _ state: inout State
  ) throws(UsageError) {
    var letters = word.dropFirst()
    let takesQuery = state.command?.takesQuery == true
    // `-not` and `-linux` are words of a query; `-n` and, before the first word, `-qv` and `-n5` are options.
    if takesQuery, !isPlainOption(letters, in: state) {
      state.operands.append(word)
      return
    }
    while let letter = letters.popFirst() {
      guard let option = known(letter, in: state) else {
        throw UsageError("unknown option -\(letter)", command: state.path.first)
      }
      if option.value == nil {
        state.options[option.long, default: []].append("")
        continue
      }
      if !letters.isEmpty {
        state.options[option.long, default: []].append(String(letters))
        return
      }
      guard index < words.count else {
        throw UsageError("-\(letter) needs a value (\(option.value ?? ""))", command: state.path.first)
      }
      state.options[option.long, default: []].append(words[index])
      index += 1
    }
  }

  private func isPlainOption(_ letters: Substring, in state: State) -> Bool {
    guard let first = letters.first, let option = known(first, in: state) else { return false }
    if letters.count == 1 { return true }
    if state.isInQuery { return false }
    if option.value != nil { return letters.dropFirst().allSatisfy(\.isWholeNumber) }
    return letters.allSatisfy { letter in known(letter, in: state).map { $0.value == nil } ?? false }
  }

  private func known(_ name: String, in state: State) -> OptionSpec? {
    let isIt = { (option: OptionSpec) in option.long == name }
    return state.isInQuery
      ? legalOptions(of: state.command).first(where: isIt) : firstOption(of: state.command, where: isIt)
  }

  private func known(_ letter: Character, in state: State) -> OptionSpec? {
    firstOption(of: state.command) { $0.short == letter }
  }

  /// An option of the command, or else of any: it takes a value either in every command or in none (a test checks the
  /// table), so that it can be parsed before the command is known.
  private func firstOption(of command: CommandSpec?, where isIt: (OptionSpec) -> Bool) -> OptionSpec? {
    if let own = (globalOptions + (command?.allOptions ?? [])).first(where: isIt) { return own }
    for entry in table {
      if let option = entry.command().allOptions.first(where: isIt) { return option }
    }
    return nil
  }

  private func legalOptions(of command: CommandSpec?) -> [OptionSpec] {
    guard let command else { return globalOptions + table.flatMap { $0.command().options } }
    return globalOptions + command.options
      + (command.defaultSubcommand.flatMap(command.subcommand)?.options ?? [])
  }

  private func finish(_ state: State) throws(UsageError) -> Invocation {
    // `--help` and `--version` work anywhere, even if other words are missing.
    if state.options["version"] != nil {
      return Invocation(path: ["version"], options: state.options, operands: [])
    }
    if state.options["help"] != nil {
      return Invocation(path: ["help"], options: state.options, operands: state.path)
    }
    guard var command = state.command else {
      throw UsageError("a command is missing: 'newsd help' lists them")
    }
    var path = state.path
    if !command.subcommands.isEmpty {
      guard let name = command.defaultSubcommand, let fallback = command.subcommand(name) else {
        let names = command.subcommands.map(\.name).joined(separator: ", ")
        throw UsageError("\(command.name) needs a subcommand: \(names)", command: command.name)
      }
      command = fallback
      path.append(name)
    }
    let shown = path.joined(separator: " ")
    let legal = Set(globalOptions.map(\.long) + command.options.map(\.long))
    for name in state.options.keys.sorted() where !legal.contains(name) {
      throw UsageError("\(shown) has no option --\(name)", command: path.first)
    }
    let invocation = Invocation(path: path, options: state.options, operands: state.operands)
    try OptionRules(command: command, globalOptions: globalOptions).check(invocation)
    try check(state.operands, command, shown: shown, path: path)
    return invocation
  }

  private func check(
    _ operands: [String],
    _ command: CommandSpec,
    shown: String,
    path: [String]
  ) throws(UsageError) {
    var least = 0
    var most: Int? = 0
    for operand in command.operands {
      switch operand.count {
      case .one:
        least += 1
        most = most.map { $0 + 1 }
      case .optional: most = most.map { $0 + 1 }
      case .many: most = nil
      case .oneOrMore:
        least += 1
        most = nil
      }
    }
    if operands.count < least {
      let missing = command.operands.filter { $0.count == .one || $0.count == .oneOrMore }
      let name = missing[min(operands.count, missing.count - 1)].name
      throw UsageError("\(shown) needs \(name)", command: path.first)
    }
    if let most, operands.count > most {
      let hint =
        command.suggestedCommand.map { "; 'newsd \($0) \(CommandWords.quoted(operands[most]))' does" } ?? ""
      throw UsageError("\(shown) does not take '\(operands[most])'\(hint)", command: path.first)
    }
    // Reject a blank query: an unset variable in a script must not select everything.
    if command.takesQuery, !operands.isEmpty, operands.allSatisfy({ $0.utf8.allSatisfy(Self.isBlank) }) {
      throw UsageError("\(shown) needs a QUERY that is not empty", command: path.first)
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
  }
}
