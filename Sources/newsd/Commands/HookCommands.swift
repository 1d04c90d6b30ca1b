import DIContainer
import Modules
import NewsFormats
import NewsToolbox

extension CommandTable {
  static let hookCommands = [Entry("hooks") { hooksCommand }]

  static let hooksCommand = CommandSpec(
    "hooks",
    "deliver items to programs, URLs and mail addresses",
    details: """
      The configuration lists the hooks under 'hooks', and the settings of the page add some for services
      (docs/hooks.md). Each process that fetches or ingests a new item, or stars, labels or saves an item, adds it to the outbox of the hooks for that event whose
      query selects it; 'newsd run' delivers it at least once. Imported items are not delivered, and the first items of an added feed only with 'backlog: true'.
      If a target is unavailable, newsd tries again for seven days, and then gives up the delivery.
      """,
    defaultSubcommand: "list",
    subcommands: [hooksList, hooksTest, hooksRetry, hooksDrop, hooksPresets]
  )

  private static let hooksList = CommandSpec(
    "list",
    "list the hooks with their source, their last error and the numbers of pending, failed and completed deliveries",
    options: [OptionSpec("failed", "list the deliveries that were given up instead of the hooks")]
      + OptionGroup.records(Tables.hooks.names + Tables.hookFailures.names),
    modes: [.init("failed", compatible: OptionGroup.records([]))],
    needsStore: true,
    examples: [
      .init("newsd hooks", "list all hooks"),
      .init(
        "newsd hooks list --failed --format tsv",
        "print the deliveries that were given up as tab-separated columns"
      ),
    ],
    task: { invocation, _ in
      .run { invocation.has("failed") ? try await $0.hookFailures() : try await $0.hooks(.list) }
    }
  )

  private static let hooksTest = CommandSpec(
    "test",
    "send the newest item that the hook selects to its target now",
    details:
      "If the hook selects no item, newsd sends an example. Exit status 69: the target did not accept it.",
    operands: [OperandSpec("NAME")],
    needsStore: true,
    isHeavy: true,
    examples: [
      .init("newsd hooks test phone", "send one notification"),
      .init("newsd hooks test morning", "send a digest of one item"),
    ],
    task: { invocation, _ in .run { try await $0.hooks(.test(invocation.operands[0])) } }
  )

  private static let hooksPresets = CommandSpec(
    "presets",
    "list the services for which newsd has a hook, or print the configuration of one",
    details: "In the printed lines, replace the example address and what is in capitals.",
    operands: [OperandSpec("NAME", .optional, completion: .words(PresetFile.all.map(\.name)))],
    accounts: .none,
    examples: [
      .init("newsd hooks presets", "list the services"),
      .init("newsd hooks presets linkding", "print a hook that saves items to Linkding"),
    ],
    task: { invocation, _ in
      guard let name = invocation.operands.first else { return .print(PresetFile.list) }
      guard let preset = PresetFile.all.first(where: { $0.name == name }) else {
        throw UsageError(
          "there is no preset '\(name)'" + NameHint.text(for: name, among: PresetFile.all.map(\.name)),
          command: "hooks"
        )
      }
      return .print(preset.text)
    }
  )

  private static let hooksRetry = CommandSpec(
    "retry",
    "try the failed deliveries of one hook or of all hooks again",
    operands: [OperandSpec("NAME", .optional)],
    needsStore: true,
    changesStore: true,
    examples: [
      .init(
        "newsd hooks retry phone",
        "try the deliveries of one hook again, for example when its target works again"
      ),
      .init("newsd hooks retry", "try the failed deliveries of all hooks again, for example after an outage"),
    ],
    task: { invocation, _ in .run { try await $0.hooks(.retry(invocation.operands.first)) } }
  )

  private static let hooksDrop = CommandSpec(
    "drop",
    "remove the pending and failed deliveries of a hook",
    options: [OptionSpec("failed", "remove only failed deliveries; keep pending ones")],
    operands: [OperandSpec("NAME")],
    needsStore: true,
    changesStore: true,
    examples: [
      .init("newsd hooks drop phone --failed", "remove the deliveries that were given up"),
      .init("newsd hooks drop phone", "remove all deliveries that have not succeeded yet"),
    ],
    task: { invocation, _ in
      .run {
        try await $0.hooks(.drop(invocation.operands[0], onlyFailed: invocation.has("failed")))
      }
    }
  )
}
