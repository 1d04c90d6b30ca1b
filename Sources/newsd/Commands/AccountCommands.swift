import DIContainer
import Glibc
import Modules
import NewsCore
import NewsFormats
import NewsToolbox

extension CommandTable {
  static let accountCommands = [Entry("accounts") { accountsCommand }]

  static let accountsCommand = CommandSpec(
    "accounts",
    "manage the accounts of a newsd that serves several people",
    details: """
      With accounts.dir in the configuration, each file NAME.db in that folder is the store of one account; with
      accounts.store, each schema newsd_NAME of that PostgreSQL database. All other commands then take --account NAME,
      or the variable NEWSD_ACCOUNT. Without a name, 'upgrade', 'prune', 'backup' and 'status --health' work on all
      accounts.
      """,
    defaultSubcommand: "list",
    subcommands: [accountsList, accountsAdd, accountsRemove, accountsDisable, accountsEnable, accountsQuota]
  )

  private static let accountsList = CommandSpec(
    "list",
    "list the accounts with feeds, items, size, last use and what fails",
    options: OptionGroup.records(Tables.accounts.names),
    accounts: .none,
    examples: [
      .init("newsd accounts", "list the accounts"),
      .init("newsd accounts list --format json", "list them for programs"),
    ],
    task: { _, _ in .run { try await $0.accounts(.list) } }
  )

  private static let accountsAdd = CommandSpec(
    "add",
    "make an account with an empty store, or with a copy of a store",
    details: """
      NAME has 1 to 32 of the characters a-z, 0-9, '.', '_' and '-', and begins with a letter or digit. With
      --from, the account begins with everything that the store has, including app passwords; the store itself
      stays as it is. Stop 'newsd run' on that store first.
      """,
    options: [
      OptionSpec("from", value: "STORE", completion: .file, "copy the store at this path or address")
    ],
    operands: [OperandSpec("NAME")],
    accounts: .none,
    examples: [
      .init("newsd accounts add anna", "make an account"),
      .init("newsd accounts add anna --from ~/.local/share/newsd/newsd.db", "make an account of a store"),
    ],
    task: { invocation, _ in
      let request = AccountsRequest.add(name: invocation.operands[0], from: invocation.value("from"))
      return .run { try await $0.accounts(request) }
    }
  )

  private static let accountsRemove = CommandSpec(
    "remove",
    "remove an account, and move its store aside",
    details: """
      newsd asks for the name again; in a script, pass it on standard input or use --yes. The store is moved to
      the folder 'removed' in accounts.dir; delete it there. To undo, move the store back. With accounts.store, the
      schema is renamed to newsd_removed_NAME_TIME.
      """,
    options: [OptionSpec("yes", "do not ask")],
    operands: [OperandSpec("NAME")],
    accounts: .none,
    examples: [
      .init("newsd accounts remove anna", "remove an account after a question"),
      .init("newsd accounts remove anna --yes", "remove an account without one"),
    ],
    task: { invocation, _ in
      let name = invocation.operands[0]
      return .run { configurator in
        if !invocation.has("yes") {
          let answer = try PasswordInput.line("Type the name of the account to remove it: ")
          guard answer == name else {
            throw UserMessage(code: .badData, text: "that is not '\(name)'; nothing was changed")
          }
        }
        return try await configurator.accounts(.remove(name: name))
      }
    }
  )

  private static let accountsDisable = CommandSpec(
    "disable",
    "stop serving an account, and keep its store",
    operands: [OperandSpec("NAME")],
    accounts: .none,
    examples: [
      .init("newsd accounts disable anna", "disable an account"),
      .init("newsd accounts disable anna && newsd accounts", "disable an account, and list all"),
    ],
    task: { invocation, _ in
      let request = AccountsRequest.setDisabled(true, name: invocation.operands[0])
      return .run { try await $0.accounts(request) }
    }
  )

  private static let accountsEnable = CommandSpec(
    "enable",
    "serve a disabled account again",
    operands: [OperandSpec("NAME")],
    accounts: .none,
    examples: [
      .init("newsd accounts enable anna", "enable an account"),
      .init("newsd accounts enable anna && newsd accounts", "enable an account, and list all"),
    ],
    task: { invocation, _ in
      let request = AccountsRequest.setDisabled(false, name: invocation.operands[0])
      return .run { try await $0.accounts(request) }
    }
  )

  private static let accountsQuota = CommandSpec(
    "quota",
    "limit the feeds and the size of an account",
    details: """
      LIMIT is feeds=N or size=BYTES, such as feeds=500 or size=1GiB (or 1G); feeds=none and size=none end a limit.
      Without a LIMIT, newsd shows the quota. A feed beyond the limit is refused with status 73. In a store above its
      size, newsd run removes read items, the oldest first, but no starred ones; if that is not enough, it stores no
      new items. New accounts begin with feeds=10000.
      """,
    operands: [OperandSpec("NAME"), OperandSpec("LIMIT", .many)],
    accounts: .none,
    examples: [
      .init("newsd accounts quota anna feeds=500 size=1G", "limit an account"),
      .init("newsd accounts quota anna", "show its quota, and what is in use"),
    ],
    task: { invocation, _ in
      var changes: [QuotaChange] = []
      for word in invocation.operands.dropFirst() { changes.append(try quotaChange(word)) }
      let request = AccountsRequest.quota(name: invocation.operands[0], changes)
      return .run { try await $0.accounts(request) }
    }
  )

  /// Parses a limit such as `feeds=500`, `size=1G` or `size=none`.
  private static func quotaChange(_ word: String) throws(UserMessage) -> QuotaChange {
    let parts = word.cut(atFirst: "=")
    let value = parts.map { String($0.1) } ?? ""
    switch parts.map({ String($0.0) }) {
    case "feeds":
      if value == "none" { return .feeds(nil) }
      guard let number = Int(value), (0...10_000_000).contains(number) else { break }
      return .feeds(number)
    case "size":
      if value == "none" { return .bytes(nil) }
      let isShort = ["K", "M", "G"].contains { value.hasSuffix($0) }
      let size = try? ConfigurationValue.bytes(isShort ? value + "iB" : value, 1 << 20...1 << 50)
      guard let size else { break }
      return .bytes(Int64(size))
    default: break
    }
    throw UserMessage(
      code: .usage,
      text:
        "a limit is feeds=N, or size=BYTES from 1MiB on, such as feeds=500 and size=1GiB, or none as the value; "
        + "not '\(word)'"
    )
  }
}
