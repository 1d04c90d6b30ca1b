import DIContainer
import Modules
import NewsToolbox

extension CommandTable {
  static let completionsCommands = [Entry("completions") { completionsCommand }]

  static let completionsCommand = CommandSpec(
    "completions",
    "print completions for a shell, to be installed or sourced",
    details: """
      With WORDs, prints the candidates for the last one. The scripts run this command at each press of the
      completion key, so that titles of feeds, folders and saved searches are up to date. Put '--' before the
      first WORD, so that newsd does not read the words as its own options.
      """,
    operands: [
      OperandSpec("SHELL", completion: .words(CompletionScript.Shell.allCases.map(\.rawValue))),
      OperandSpec("WORD", .many),
    ],
    needsStore: true,
    readsConfiguration: .withOperand(2),
    accounts: .ifNamed,
    examples: [
      .init("source <(newsd completions bash)", "turn on completions in the running bash"),
      .init("newsd completions fish > ~/.config/fish/completions/newsd.fish", "install completions for fish"),
    ],
    task: { invocation, _ in
      let shell = try CompletionScript.Shell(named: invocation.operands[0])
      let words = Array(invocation.operands.dropFirst())
      if words.isEmpty { return .print(CompletionScript.text(for: shell)) }
      let request = completions(of: words).request
      return .run { try await $0.completions(request) }
    }
  )

  /// Returns the request for candidates for the last word, and the options before it.
  static func completions(of words: [String]) -> (request: CompletionsRequest, options: [String: String]) {
    CompletionFinder(table: commands, globalOptions: globalOptions).find(words)
  }
}

extension CompletionScript.Shell {
  init(named name: String) throws(UsageError) {
    guard let shell = CompletionScript.Shell(rawValue: name) else {
      let names = CompletionScript.Shell.allCases.map(\.rawValue)
      throw UsageError(
        "completions are for bash, zsh and fish, not '\(name)'" + NameHint.text(for: name, among: names)
      )
    }
    self = shell
  }
}
