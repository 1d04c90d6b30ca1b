import DIContainer
import Modules
import NewsFormats

extension CommandTable {
  static let statusCommands = [
    Entry("changes") { changesCommand },
    Entry("status") { statusCommand },
  ]

  static let changesCommand = CommandSpec(
    "changes",
    "print the change log: what was stored, edited, marked and removed",
    details: """
      Lists each changed item once, in the order of its latest change, including removed items. Also lists
      feeds that are new, renamed, moved to another folder or address, or removed.
      """,
    options: [
      OptionSpec("after", value: "SEQ", "print only changes after this number"),
      OptionSpec("limit", short: "n", value: "N", "print at most N changes"),
    ] + OptionGroup.records(Tables.changes.names),
    needsStore: true,
    examples: [
      .init("newsd changes --after 0 --format jsonl", "print all changes, for a mirror"),
      .init("newsd changes --after 4711 --format tsv", "print the changes after a number"),
    ],
    task: { invocation, context in
      let after = Int64(try invocation.integer("after") ?? 0)
      let limit = try invocation.integer("limit").flatMap { $0 == 0 ? nil : $0 }
      return .run { try await $0.changes(ChangesRequest(after: after, limit: limit)) }
    }
  )

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
    accounts: .all(when: .init { $0.has("health") || $0.value("format") == "prometheus" }),
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
}
