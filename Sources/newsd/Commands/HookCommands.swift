import Modules
import NewsFormats

extension CommandTable {
  static let hooksCommand = CommandSpec(
    "hooks",
    "what is delivered to programs, URLs and mailboxes as news arrives",
    details: """
      The configuration lists the hooks under 'hooks' (docs/hooks.md). Whatever stores an item puts it in the outbox of
      the hooks whose query selects it; 'newsd run' delivers, at least once. What a target cannot take now is tried
      again for seven days; what it refuses is listed by --failed.
      """,
    defaultSubcommand: "list",
    subcommands: [hooksList, hooksTest, hooksRetry, hooksDrop]
  )

  private static let hooksList = CommandSpec(
    "list",
    "the hooks: pending, failed and delivered, and the last error",
    options: [OptionSpec("failed", "list the deliveries that were given up, instead")]
      + OptionGroup.records(FieldNames.hooks),
    modes: [.init("failed", compatible: OptionGroup.records([]))],
    needsStore: true,
    examples: [
      .init("newsd hooks", "all hooks"),
      .init("newsd hooks list --failed --format tsv", "what was given up, for programs"),
    ],
    route: { invocation, _ in invocation.has("failed") ? .hookFailures : .hooks(.list) }
  )

  private static let hooksTest = CommandSpec(
    "test",
    "send the newest item that the hook selects to its target now",
    details: "Exit status 69 when the target does not take it. The outbox stays as it is.",
    operands: [OperandSpec("NAME")],
    needsStore: true,
    examples: [
      .init("newsd hooks test phone", "one notification"),
      .init("newsd hooks test morning", "a digest of one item"),
    ],
    route: { invocation, _ in .hooks(.test(invocation.operands[0])) }
  )

  private static let hooksRetry = CommandSpec(
    "retry",
    "try what failed again, of one hook or of all",
    operands: [OperandSpec("NAME", .optional)],
    needsStore: true,
    examples: [
      .init("newsd hooks retry phone", "after its service was repaired"),
      .init("newsd hooks retry", "everything, for example after a long outage"),
    ],
    route: { invocation, _ in .hooks(.retry(invocation.operands.first)) }
  )

  private static let hooksDrop = CommandSpec(
    "drop",
    "forget what the hook has not delivered",
    options: [OptionSpec("failed", "only what was given up; what waits is kept")],
    operands: [OperandSpec("NAME")],
    needsStore: true,
    examples: [
      .init("newsd hooks drop phone --failed", "forget what its service refused"),
      .init("newsd hooks drop phone", "begin anew"),
    ],
    route: { invocation, _ in
      .hooks(.drop(invocation.operands[0], onlyFailed: invocation.has("failed")))
    }
  )
}
