import Modules
import Testing

@testable import newsd

@Suite struct `Argument parser` {
  private static let none: CommandSpec.Action = { _, _ in .open(.status) }
  private let parser = ArgumentParser(
    table: [
      CommandSpec(
        "list",
        "",
        options: [OptionSpec("limit", short: "n", value: "N", ""), OptionSpec("unread", "")],
        task: none
      ),
      CommandSpec(
        "search",
        "",
        options: [OptionSpec("limit", short: "n", value: "N", ""), OptionSpec("unread", "")],
        operands: [OperandSpec("QUERY", .many)],
        takesQuery: true,
        task: none
      ),
      CommandSpec("show", "", operands: [OperandSpec("ID")], task: none),
      CommandSpec("help", "", operands: [OperandSpec("COMMAND", .many)], task: none),
      CommandSpec(
        "feeds",
        "",
        defaultSubcommand: "list",
        subcommands: [
          CommandSpec("list", "", options: [OptionSpec("format", value: "F", "")], task: none),
          CommandSpec("add", "", operands: [OperandSpec("URL")], task: none),
        ]
      ),
    ].map { command in CommandTable.Entry(command.name) { command } },
    globalOptions: [
      OptionSpec("db", value: "PATH", ""), OptionSpec("quiet", short: "q", ""),
      OptionSpec("verbose", short: "v", ""),
      OptionSpec("help", short: "h", ""),
    ]
  )

  @Test(arguments: [
    "list -n 5 --unread", "list --limit 5 --unread", "list --limit=5 --unread", "list -n5 --unread",
    "-n 5 --unread list", "--limit=5 list --unread",
  ])
  func `All GNU spellings of options are equivalent, before and after the command`(_ line: String) throws {
    let invocation = try parser.parse(line.split(separator: " ").map(String.init))
    #expect(invocation.path == ["list"])
    #expect(invocation.options == ["limit": ["5"], "unread": [""]])
  }

  @Test(arguments: [
    (["search", "linux", "-not"], ["linux", "-not"]),
    (["search", "-not", "linux"], ["-not", "linux"]),
    (["search", "linux", "--frobnicate"], ["linux", "--frobnicate"]),
    (["search", "linux", "-n5"], ["linux", "-n5"]),
    (["search", "--", "--unread"], ["--unread"]),
    (["search", "a", "--", "-n"], ["a", "-n"]),
    (["search", "a", "--db-like"], ["a", "--db-like"]),
  ])
  func `A word of a query that is not exactly an option belongs to the query`(
    _ words: [String],
    _ query: [String]
  ) throws {
    let invocation = try parser.parse(words)
    #expect(invocation.operands == query)
    #expect(invocation.options.isEmpty)
  }

  @Test func `Exact options are recognized within a query`() throws {
    let invocation = try parser.parse(["search", "linux", "-n", "3", "kernel", "--unread", "--db=x", "-q"])
    #expect(invocation.operands == ["linux", "kernel"])
    #expect(invocation.options == ["limit": ["3"], "unread": [""], "db": ["x"], "quiet": [""]])
  }

  @Test func `Flags of one letter may be combined`() throws {
    #expect(try parser.parse(["-qh", "list"]).options == ["quiet": [""], "help": [""]])
  }

  @Test func `A command without a subcommand runs its default subcommand`() throws {
    #expect(try parser.parse(["feeds", "--format", "tsv"]).path == ["feeds", "list"])
  }

  @Test func `The option for help works anywhere`() throws {
    #expect(try parser.parse(["show", "--help"]).operands == ["show"])
    #expect(try parser.parse(["--help"]).path == ["help"])
    #expect(try parser.parse(["feeds", "add", "-h"]).operands == ["feeds", "add"])
  }

  @Test(arguments: [
    (["lst"], "'lst' is not a command: did you mean 'list'?"),
    (["list", "--limt", "4"], "unknown option --limt: did you mean '--limit'?"),
    (["list", "--lim", "4"], "unknown option --lim: did you mean '--limit'?"),
    (["list", "--limit"], "--limit needs a value (N)"),
    (["list", "--unread=yes"], "--unread takes no value"),
    (["list", "x"], "list does not take 'x'"),
    (["show"], "show needs ID"),
    (["show", "--unread", "1"], "show has no option --unread"),
    (["feeds", "ad", "u"], "'ad' is not a subcommand of feeds: did you mean 'add'?"),
    ([], "a command is missing: 'newsd help' lists them"),
  ])
  func `A usage error names the mistake, and suggests a similar word if there is one`(
    _ words: [String],
    _ message: String
  ) {
    let error = #expect(throws: UsageError.self) { try parser.parse(words) }
    #expect(error?.message == message)
  }
}
