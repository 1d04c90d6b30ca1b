import DIContainer
import Modules
import NewsCore

extension CommandTable {
  static let upgradeCommand = CommandSpec(
    "upgrade",
    "upgrade the store to the layout of this newsd",
    details: """
      The layout is the format of the store's tables; few versions of newsd change it. 'newsd run' and commands
      that change the store upgrade it by themselves, unless store.upgrade in the configuration is 'manual'.
      Commands that only read ask for this command instead.

      newsd keeps the former store as STORE.layout-N, which needs room beside the store. An upgrade that was
      interrupted, even by a power failure, leaves the former store or continues with the next upgrade. To go back, install
      the former newsd and run 'newsd restore STORE.layout-N' with it.

      On PostgreSQL, newsd keeps no copy; use pg_dump before. Newsd of the former and the new version can use the
      store together; the last part of the upgrade waits until no former one is left.
      """,
    options: [
      OptionSpec("check", "print what the upgrade would do, change nothing"),
      OptionSpec("finish", "on PostgreSQL, perform the last part now: newsd of former versions end"),
    ],
    needsStore: true,
    examples: [
      .init("newsd upgrade --check", "print the layouts and the room that the upgrade needs"),
      .init("newsd upgrade", "upgrade the store, and keep the former one beside it"),
    ],
    task: { invocation, _ in
      guard !invocation.has("check") || !invocation.has("finish") else {
        throw UsageError("--check and --finish exclude each other", command: "upgrade")
      }
      if invocation.has("check") { return .run { try await $0.upgradeCheck() } }
      if invocation.has("finish") { return .run { try await $0.upgradeFinish() } }
      return .run { try await $0.upgrade() }
    }
  )

  /// The commands that change the store, and upgrade it first. 'newsd run' upgrades by itself, 'restore' and 'copy' upgrade a
  /// copy, and 'check --repair' may find a store that should not be touched.
  static let changing: [[String]] = [
    ["read"], ["fetch"], ["next"], ["mark"], ["label", "add"], ["label", "remove"], ["save"], ["ingest"],
    ["import"], ["prune"], ["compact"], ["feeds", "add"], ["feeds", "remove"], ["feeds", "rename"],
    ["feeds", "move"], ["feeds", "set"], ["feeds", "import"], ["rules", "add"], ["rules", "edit"],
    ["rules", "move"],
    ["rules", "remove"], ["hooks", "retry"], ["hooks", "drop"], ["web", "password"],
  ]

  /// True for a command that changes the store. Some change it only with an option, or with an operand after those
  /// that they need.
  static func changesStore(_ invocation: Invocation) -> Bool {
    switch invocation.path {
    case ["feeds", "identity"]: invocation.operands.count > 1
    case ["web", "apps"], ["web", "sessions"]: !["list", nil].contains(invocation.operands.first)
    default:
      changing.contains(invocation.path)
        || ["save", "forget", "mark-read", "apply", "revert"].contains(where: invocation.has)
    }
  }
}

extension CommandRunner {
  /// Upgrades the store before a command that changes it. Returns the status of the upgrade, which has reported a failure.
  func upgradeStore(before invocation: Invocation, _ context: CommandContext) async throws -> ExitStatus {
    guard CommandTable.changesStore(invocation) else { return .done }
    return try await context.configurator(invocation).upgradeBeforeChange()
  }
}
