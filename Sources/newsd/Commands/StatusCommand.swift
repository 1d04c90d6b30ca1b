import DIContainer
import Modules
import NewsCore
import NewsFormats

extension CommandTable {
  static let statusCommand = CommandSpec(
    "status",
    "what the store holds, what is due, what fails and why",
    options: [
      OptionSpec("plan", value: "T", "the polls of this time to come: 30m, 1h, 2d"),
      OptionSpec("failing", "the feeds that fail, since when, why, and what to do"),
    ] + OptionGroup.records(FieldNames.status),
    modes: [
      .init("plan", keeps: OptionGroup.records([])), .init("failing", keeps: OptionGroup.records([])),
    ],
    needsStore: true,
    examples: [
      .init("newsd status", "the figures"),
      .init("newsd status --plan 1h --format tsv", "feed, due time and reason"),
    ]
  ) { invocation, context in
    let configurator = try context.configurator(invocation)
    if let text = invocation.value("plan") {
      guard let seconds = try? ConfigurationValue.seconds(text, 0...366 * 86_400) else {
        throw UsageError("--plan takes a duration such as 30m, 1h or 2d, not '\(text)'", command: "status")
      }
      return ExitStatus(screen: try await configurator.run(.plan(horizon: seconds)))
    }
    return ExitStatus(screen: try await configurator.run(invocation.has("failing") ? .failures : .status))
  }

  static let debugCommand = CommandSpec(
    "debug",
    "what newsd makes of something, for bug reports",
    subcommands: [
      CommandSpec(
        "tokens",
        "the words that a text is indexed by",
        details:
          "One a line: the word, its first and last byte; + marks a variant at the place of the one before.",
        options: [OptionSpec("query", "as the words of a query")],
        operands: [OperandSpec("TEXT", .oneOrMore)],
        examples: [
          .init("newsd debug tokens 'Größe C++ 日本語'", "see why something is found, or not"),
          .init("newsd debug tokens --query 日本", "as a search would ask"),
        ]
      ) { invocation, context in
        let text = invocation.operands.joined(separator: " ")
        for token in WordTokenizer.tokens(of: text, mode: invocation.has("query") ? .query : .document) {
          let mark = token.isColocated ? "+" : ""
          let word = DisplayText(line: token.text).string
          try context.output.write("\(word)\t\(token.start)\t\(token.end)\t\(mark)\n")
        }
        return .done
      }
    ]
  )
}
