import NewsSearch
import Modules
import NewsCore

/// Completes the last word of a command line.
///
/// The completion scripts of all shells call it, so that they offer exactly what the parser accepts.
struct CompletionFinder {
  let table: [CommandSpec]
  let globalOptions: [OptionSpec]

  /// Returns the answer for the last word, and the options in the words before it.
  func find(_ words: [String]) -> (request: CompletionsRequest, options: [String: String]) {
    var reading = Reading()
    for word in words.dropLast() {
      guard read(word, &reading) else { return (.nothing, reading.options) }
    }
    return (answer(words.last ?? "", reading), reading.options)
  }

  /// The state after the words before the last.
  private struct Reading {
    var command: CommandSpec?
    var operands: [String] = []
    var options: [String: String] = [:]
    /// The option whose value the next word is.
    var pending: OptionSpec?
    var isEnded = false
  }

  /// Reads one more word. Returns false if no further word can follow.
  private func read(_ word: String, _ reading: inout Reading) -> Bool {
    if let option = reading.pending {
      reading.options[option.long] = word
      reading.pending = nil
      return true
    }
    if reading.isEnded || word == "-" || !word.hasPrefix("-") { return accept(word, &reading) }
    if word == "--" {
      reading.isEnded = true
    } else if word.hasPrefix("--") {
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let option = option(parts.first.map(String.init) ?? "", of: reading.command)
      if parts.count > 1 {
        reading.options[String(parts[0])] = String(parts[1])
      } else if option?.value != nil {
        reading.pending = option
      }
    } else {
      var letters = word.dropFirst()
      while let letter = letters.popFirst() {
        guard let option = allOptions.first(where: { $0.short == letter }), option.value != nil else {
          continue
        }
        if letters.isEmpty { reading.pending = option }
        break
      }
    }
    return true
  }

  private func accept(_ word: String, _ reading: inout Reading) -> Bool {
    guard let command = reading.command else {
      reading.command = table.first { $0.name == word }
      return reading.command != nil
    }
    guard !command.subcommands.isEmpty else {
      reading.operands.append(word)
      return true
    }
    reading.command = command.subcommand(word)
    return reading.command != nil
  }

  private func answer(_ current: String, _ reading: Reading) -> CompletionsRequest {
    if let option = reading.pending { return value(option.completion, current, prefix: "") }
    guard !reading.isEnded, current.hasPrefix("-") else { return operand(current, reading) }
    if current.hasPrefix("--"), let equals = current.firstIndex(of: "=") {
      let name = String(current[current.index(current.startIndex, offsetBy: 2)..<equals])
      guard let option = option(name, of: reading.command), option.value != nil else { return .nothing }
      let value = current[current.index(after: equals)...]
      return self.value(option.completion, String(value), prefix: String(current[...equals]))
    }
    let options = options(of: reading.command)
    let short = current == "-" ? options.compactMap { option in option.short.map { ("-\($0)", option) } } : []
    return .choices(
      (short + options.map { ("--\($0.long)", $0) }).map { CompletionCandidate(text: $0, note: $1.help) }
    )
  }

  private func operand(_ current: String, _ reading: Reading) -> CompletionsRequest {
    guard let command = reading.command else { return .choices(Self.choices(table)) }
    if command.takesQuery { return queryWord(current) }
    guard command.subcommands.isEmpty else { return .choices(Self.choices(command.subcommands)) }
    guard let last = command.operands.last else { return .nothing }
    let isPastLast = reading.operands.count >= command.operands.count
    guard !isPastLast || last.count == .many || last.count == .oneOrMore else { return .nothing }
    let operand = isPastLast ? last : command.operands[reading.operands.count]
    guard operand.completion == .commands else { return value(operand.completion, current, prefix: "") }
    switch reading.operands.count {
    case 0: return .choices(Self.choices(table))
    case 1:
      return .choices(Self.choices(table.first { $0.name == reading.operands[0] }?.subcommands ?? []))
    default: return .nothing
    }
  }

  /// Completes a field of the query language, or the value of a field whose values are known.
  private func queryWord(_ current: String) -> CompletionsRequest {
    let bytes = current.utf8
    let sign = bytes.first == UInt8(ascii: "-") ? "-" : ""
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
      return .unfinishedChoices(
        QueryField.allCases.map { CompletionCandidate(text: "\(sign)\($0.rawValue):") }
      )
    }
    let prefix = String(current[...colon])
    let name = String(prefix.dropFirst(sign.count).dropLast())
    switch QueryField(rawValue: name) {
    case .is: return .choices(Self.words(["unread", "read", "starred", "unstarred"], after: prefix))
    case .has: return .choices(Self.words(["enclosure"], after: prefix))
    case .sort: return .choices(Self.words(ItemOrder.allCases.map(\.rawValue), after: prefix))
    case .since, .until:
      return .choices(Self.words(["today", "yesterday", "1d", "7d", "30d"], after: prefix))
    case .feed: return .queryNames(.feeds, prefix: prefix)
    case .folder: return .queryNames(.folders, prefix: prefix)
    case .saved: return .queryNames(.searches, prefix: prefix)
    case .label: return .queryNames(.labels, prefix: prefix)
    default: return .nothing
    }
  }

  private static func words(_ words: [String], after prefix: String) -> [CompletionCandidate] {
    words.map { CompletionCandidate(text: prefix + $0) }
  }

  private func value(_ completion: OptionSpec.Completion, _ current: String, prefix: String)
    -> CompletionsRequest
  {
    switch completion {
    case .none: return .nothing
    case .file: return .files(prefix: prefix)
    case .directory: return .directories(prefix: prefix)
    case .feeds: return .names(.feeds, prefix: prefix)
    case .feedsAndSearches: return .names(.feedsAndSearches, prefix: prefix)
    case .searches: return .names(.searches, prefix: prefix)
    case .folders: return .names(.folders, prefix: prefix)
    case .labels: return .names(.labels, prefix: prefix)
    case .commands: return .choices(Self.choices(table))
    case .words(let words):
      let choices = words.map { CompletionCandidate(text: prefix + $0) }
      return words.contains { $0.hasSuffix("=") || $0.hasSuffix(":") }
        ? .unfinishedChoices(choices) : .choices(choices)
    case .fields(let names):
      // Keep the names before the last comma, and do not offer them again.
      let before = current.lastIndex(of: ",").map { String(current[...$0]) } ?? ""
      let used = before.split(separator: ",").map(String.init)
      let rest = names.filter { !used.contains($0) }
      return .unfinishedChoices(rest.map { CompletionCandidate(text: prefix + before + $0) })
    }
  }

  private static func choices(_ commands: [CommandSpec]) -> [CompletionCandidate] {
    commands.map { CompletionCandidate(text: $0.name, note: $0.summary) }
  }

  private func options(of command: CommandSpec?) -> [OptionSpec] {
    guard let command else { return globalOptions }
    return command.options + (command.defaultSubcommand.flatMap(command.subcommand)?.options ?? [])
      + globalOptions
  }

  /// Finds an option. It takes a value either in every command or in none, so the command need not be known.
  private func option(_ name: String, of command: CommandSpec?) -> OptionSpec? {
    (options(of: command) + allOptions).first { $0.long == name }
  }

  private var allOptions: [OptionSpec] {
    globalOptions + table.flatMap { [$0] + $0.subcommands }.flatMap(\.options)
  }
}
