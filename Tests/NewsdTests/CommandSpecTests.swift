import DIContainer
import Testing

@testable import newsd

/// What newsd must know of a command before it runs, which its `CommandSpec` says.
@Suite struct `Facts about commands` {
  private func read(_ line: String) throws -> (command: CommandSpec, invocation: Invocation) {
    let parser = ArgumentParser(table: CommandTable.entries, globalOptions: CommandTable.globalOptions)
    let invocation = try parser.parse(line.split(separator: " ").map(String.init))
    return (try #require(CommandTable.command(invocation.path)), invocation)
  }

  @Test(arguments: [
    ("feeds moves", false), ("feeds moves --apply 7", true), ("feeds moves --revert 7", true),
    ("feeds identity 7", false), ("feeds identity 7 link", true), ("search --forget x", true),
    ("search --save x y", true), ("search y", false), ("web apps", false), ("web apps add phone", true),
    ("web apps list", false), ("web sessions", false), ("web sessions remove 3", true), ("list", false),
    ("show 1", false), ("show --mark-read 1", true), ("show --article 1", true), ("open 1", false),
    ("open --mark-read 1", true), ("mark read 1", true), ("mcp", false), ("mcp --write", true),
    ("label", false), ("label add later 1", true), ("replay dir", true), ("run", false), ("restore x", false),
    ("check --repair", false),
  ])
  func `A command that changes the store, or an option or operand of it, upgrades the store first`(
    _ line: String,
    _ changes: Bool
  ) throws {
    let (command, invocation) = try read(line)
    #expect(command.changesStore.holds(invocation) == changes)
  }

  @Test(arguments: [
    ("run", true), ("read", true), ("fetch", true), ("follow", true), ("feeds add example.org", true),
    ("feeds preview 7", true), ("show 1", false), ("show --article 1", true), ("mcp", false),
    ("mcp --write", true), ("import x", false), ("import --from http://x/", true), ("hooks test x", true),
    ("list", false),
  ])
  func `A command that fetches needs more files and address space`(_ line: String, _ isHeavy: Bool) throws {
    let (command, invocation) = try read(line)
    #expect(command.isHeavy.holds(invocation) == isHeavy)
  }

  @Test(arguments: [
    ("help", false), ("list --help", false), ("list --version", false), ("manual", false),
    ("completions bash", false), ("completions bash -- newsd", true), ("list", true), ("parse x", true),
  ])
  func `Help works with an invalid configuration`(_ line: String, _ isRead: Bool) throws {
    let (command, invocation) = try read(line)
    #expect(command.readsConfiguration.holds(invocation) == isRead)
  }

  @Test(arguments: [
    ("accounts", "none"), ("accounts quota anna", "none"), ("parse x", "none"), ("debug tokens x", "none"),
    ("copy a b", "none"), ("hooks presets", "none"), ("run", "none"), ("completions bash --", "ifNamed"),
    ("upgrade --check", "all"), ("prune", "all"), ("backup x", "all"), ("status", "one"),
    ("status --health", "all"), ("status --format prometheus", "all"), ("status --format json", "one"),
    ("list", "one"), ("hooks", "one"),
  ])
  func `A command works on the store of one account, of all or of none`(_ line: String, _ accounts: String)
    throws
  {
    let (command, invocation) = try read(line)
    let chosen =
      switch command.accounts {
      case .one: "one"
      case .ifNamed: "ifNamed"
      case .all(let condition): condition.holds(invocation) ? "all" : "one"
      case .none: "none"
      }
    #expect(chosen == accounts)
  }
}
