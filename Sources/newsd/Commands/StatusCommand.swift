import DIContainer
import Modules
import NewsFormats

extension CommandTable {
  static let statusCommand = CommandSpec(
    "status",
    "summarize the store; with --plan list the next polls, with --failing the failing feeds",
    options: [
      OptionSpec("plan", value: "T", "list the polls of the next T, such as 30m, 1h or 2d"),
      OptionSpec(
        "health",
        "tell monitors whether newsd does its work: exit status 0, 1 (warning) or 2 (critical)"
      ),
      OptionSpec("failing", "list the feeds that fail: since when, why, and what to do"),
    ] + OptionGroup.status,
    modes: [
      .init("plan", compatible: OptionGroup.records([])),
      .init("failing", compatible: OptionGroup.records([])),
      .init("health", compatible: OptionGroup.status),
    ],
    needsStore: true,
    examples: [
      .init("newsd status", "print the figures of the store"),
      .init(
        "newsd status --plan 1h --format tsv",
        "print the polls of the next hour as columns: feed, due time, reason"
      ),
      .init("newsd status --health", "check newsd from monit, Nagios or a liveness probe"),
      .init("newsd status --format prometheus", "print metrics for the textfile collector of node_exporter"),
    ],
    task: { invocation, context in
      let isMetrics = context.format(invocation) == .prometheus
      if invocation.has("health") || isMetrics {
        for option in ["plan", "failing"] where invocation.has(option) {
          throw UsageError(
            "--\(option) has no effect with --health or --format prometheus",
            command: "status"
          )
        }
        // A metrics collector needs exit status 0, whatever the verdict.
        return .run { try await $0.health(answersVerdict: invocation.has("health")) }
      }
      if let text = invocation.value("plan") {
        guard let seconds = try? ConfigurationValue.seconds(text, 0...366 * 86_400) else {
          throw UsageError(
            "--plan takes a duration such as 30m, 1h or 2d, not '\(text)'",
            command: "status"
          )
        }
        return .open(.plan(horizon: seconds))
      }
      return .open(invocation.has("failing") ? .failures : .status)
    }
  )

  static let debugCommand = CommandSpec(
    "debug",
    "print diagnostics for bug reports",
    subcommands: [
      CommandSpec(
        "tokens",
        "print the words under which newsd indexes a text",
        details: """
          Each line has a word, the offset of its first byte in TEXT and the offset after its last byte. A line
          that ends with + has a variant of the word before it.
          """,
        options: [OptionSpec("query", "split TEXT as a search does")],
        operands: [OperandSpec("TEXT", .oneOrMore)],
        examples: [
          .init("newsd debug tokens 'Größe C++ 日本語'", "see why a search finds or does not find a text"),
          .init("newsd debug tokens --query 日本", "print the words that a search looks up"),
        ],
        task: { invocation, _ in
          let text = invocation.operands.joined(separator: " ")
          return .run { try await $0.debugTokens(of: text, isQuery: invocation.has("query")) }
        }
      )
    ]
  )
}
