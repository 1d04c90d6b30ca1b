import DIContainer
import Modules
import NewsCore
import NewsToolbox

extension CommandTable {
  static let completionsCommand = CommandSpec(
    "completions",
    "print completions for a shell, to be installed or sourced",
    details: """
      With WORDs, prints what can replace the last one. The scripts call it at every press of the completion key, so that
      titles of feeds, folders and saved searches are up to date. Put '--' before the first WORD, so that options among the
      words are not taken for newsd's own.
      """,
    operands: [
      OperandSpec("SHELL", completion: .words(CompletionScript.Shell.allCases.map(\.rawValue))),
      OperandSpec("WORD", .many),
    ],
    examples: [
      .init("source <(newsd completions bash)", "complete in this bash"),
      .init("newsd completions fish > ~/.config/fish/completions/newsd.fish", "complete in every fish"),
    ]
  ) { invocation, context in
    let names = CompletionScript.Shell.allCases.map(\.rawValue)
    guard let shell = CompletionScript.Shell(rawValue: invocation.operands[0]) else {
      throw UsageError(
        "completions are for bash, zsh and fish, not '\(invocation.operands[0])'"
          + Suggestion.text(for: invocation.operands[0], among: names)
      )
    }
    let words = invocation.operands.dropFirst()
    guard !words.isEmpty else {
      try context.output.write(CompletionScript.text(for: shell))
      return .done
    }
    let finder = CompletionFinder(table: commands, globalOptions: globalOptions)
    let (answer, options) = finder.find(Array(words))
    try context.output.write(try await text(of: answer, options, context))
    return .done
  }

  /// What can replace the last of the words, as far as it is in the table or in the store.
  static func candidates(_ words: [String], _ context: CommandContext) async throws -> [String] {
    let (answer, options) = CompletionFinder(table: commands, globalOptions: globalOptions).find(words)
    switch answer {
    case .nothing, .files, .directories: return []
    case .choices(let choices), .unfinishedChoices(let choices): return choices.map(\.text)
    case .names(let kind, let prefix):
      return try await names(kind, options, context).map { prefix + CommandWords.quoted($0) }
    case .queryNames(let kind, let prefix):
      return try await names(kind, options, context).map { prefix + RouteReading.queryWord($0) }
    }
  }

  /// The output for the scripts: the kind of word, then one candidate per line.
  private static func text(
    of answer: CompletionFinder.Answer,
    _ options: [String: String],
    _ context: CommandContext
  ) async throws -> String {
    switch answer {
    case .nothing: return "nothing \n"
    case .files(let prefix): return "files \(prefix)\n"
    case .directories(let prefix): return "directories \(prefix)\n"
    case .choices(let choices): return "words \n" + lines(choices)
    case .unfinishedChoices(let choices): return "open \n" + lines(choices)
    case .names(let kind, let prefix):
      let names = try await self.names(kind, options, context)
      return "words \n" + lines(names.map { CompletionFinder.Candidate(text: prefix + $0) })
    case .queryNames(let kind, let prefix):
      let names = try await self.names(kind, options, context)
      return "words \n"
        + lines(names.map { CompletionFinder.Candidate(text: prefix + RouteReading.queryWord($0)) })
    }
  }

  private static func lines(_ choices: [CompletionFinder.Candidate]) -> String {
    choices.map { $0.note.isEmpty ? "\($0.text)\n" : "\($0.text)\t\($0.note)\n" }.joined()
  }

  /// Names from the store that the typed options select.
  private static func names(
    _ kind: CompletionFinder.Names,
    _ options: [String: String],
    _ context: CommandContext
  ) async throws -> [String] {
    // The shell has not expanded `~` yet.
    let home = context.environment["HOME"] ?? ""
    let paths = options.mapValues { $0.hasPrefix("~/") ? home + $0.dropFirst() : $0 }
    let loader = ConfigurationLoader(environment: context.environment)
    var settings = try loader.load(flag: paths["config"])
    settings.store = loader.storePath(flag: paths["db"], settings: settings)
    guard StoreFile.exists(settings.store) else { return [] }
    let services = ServiceContainer(
      settings: settings,
      environment: context.environment,
      program: Version.program
    )
    let store = try services.store()
    var names: Set<String> = []
    if kind == .searches || kind == .feedsAndSearches {
      names.formUnion(try await store.savedSearches().map(\.name))
    }
    if kind == .folders {
      for case let folder? in try await store.feeds().map(\.folder) {
        // A folder includes its subfolders, so each parent is a name, too.
        let parts = folder.split(separator: "/")
        for count in parts.indices { names.insert(parts[...count].joined(separator: "/")) }
      }
    } else if kind != .searches {
      names.formUnion(try await store.feeds().map(\.title))
    }
    // Names with characters that `DisplayText` replaces cannot be typed, so do not offer them.
    return names.filter { !$0.isEmpty && DisplayText(line: $0).string == $0 }.sorted()
  }
}
