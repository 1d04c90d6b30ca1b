import DIContainer

extension CommandTable {
  static let upgradeCommands = [Entry("upgrade") { upgradeCommand }]

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
    accounts: .all(when: true),
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
}
