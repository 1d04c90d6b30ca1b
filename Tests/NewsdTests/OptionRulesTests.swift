import NewsFormats
import NewsText
import Testing

@testable import newsd

@Suite struct `Option rules` {
  private let parser = ArgumentParser(table: CommandTable.entries, globalOptions: CommandTable.globalOptions)

  /// Every command and subcommand with an action, and its path.
  private static let leaves: [(path: [String], command: CommandSpec)] = CommandTable.commands.flatMap {
    command in
    command.subcommands.isEmpty
      ? [([command.name], command)]
      : command.subcommands.map { ([command.name, $0.name], $0) }
  }

  /// The words for an option, with a value that every rule accepts.
  private static func words(_ option: OptionSpec) -> [String] {
    guard option.value != nil else { return ["--\(option.long)"] }
    if case .words(let words) = option.completion { return ["--\(option.long)", words[0]] }
    return ["--\(option.long)", "1"]
  }

  private func message(_ words: [String]) -> String? {
    do {
      _ = try parser.parse(words)
      return nil
    } catch {
      return error.message
    }
  }

  @Test func `Only options that repeat may be given twice`() {
    for (path, command) in Self.leaves {
      let operands = command.operands.filter { $0.count == .one || $0.count == .oneOrMore }.map { _ in "x" }
      for option in CommandTable.globalOptions + command.options
      where !["help", "version"].contains(option.long) {
        let message = message(path + Self.words(option) + Self.words(option) + ["--"] + operands)
        let isRefused = message == "--\(option.long) is given more than once"
        #expect(isRefused != option.repeats, "\(path) --\(option.long): \(message ?? "accepted")")
      }
    }
  }

  /// Formats are not covered here: `An option for certain formats is rejected with other formats` tests them.
  @Test func `Only the listed pairs of options are rejected`() {
    var refused: [String] = []
    for (path, command) in Self.leaves {
      let operands = command.operands.filter { $0.count == .one || $0.count == .oneOrMore }.map { _ in "x" }
      for (index, one) in command.options.enumerated() {
        var others: [String] = []
        for other in command.options[(index + 1)...] {
          let message = message(path + Self.words(one) + Self.words(other) + ["--"] + operands) ?? ""
          let isPair = message.contains("contradict") || message.contains(" has no effect with --")
          if isPair { others.append(other.long) }
        }
        if !others.isEmpty {
          refused.append("\(path.joined(separator: " ")) --\(one.long): \(others.joined(separator: " "))")
        }
      }
    }
    #expect(refused == Self.pairs.split(separator: "\n").map(String.init))
  }

  private static let pairs = """
    list --limit: cursor chart
    list --page: before cursor chart
    list --before: cursor chart
    list --sort: chart
    list --cluster: chart
    list --open: cursor chart
    list --cursor: chart
    list --chart: output
    list --template: template-file
    list --header: no-header
    list --utc: local
    next --template: template-file
    next --header: no-header
    next --utc: local
    show --mark-read: versions diff
    show --versions: diff article output
    show --diff: article template template-file fields header no-header csv-safe output
    show --template: template-file
    show --header: no-header
    show --utc: local
    search --feed: history saved forget
    search --folder: history saved forget
    search --label: history saved forget
    search --unread: history saved forget
    search --starred: history saved forget
    search --since: history saved forget
    search --until: history saved forget
    search --stored-since: history saved forget
    search --limit: cursor count explain save saved forget
    search --page: before cursor history count explain save saved forget
    search --before: cursor history count explain save saved forget
    search --sort: history count saved forget
    search --cluster: history explain save saved forget
    search --open: cursor history count explain save saved forget
    search --cursor: history count explain save saved forget
    search --history: count explain save saved forget output
    search --count: explain save saved forget format template template-file fields header no-header csv-safe utc local output
    search --explain: save saved forget format template template-file fields header no-header csv-safe utc local output
    search --save: saved forget format template template-file fields header no-header csv-safe utc local output
    search --saved: forget output
    search --forget: format template template-file fields header no-header csv-safe utc local output
    search --template: template-file
    search --header: no-header
    search --utc: local
    follow --exec: format template template-file header no-header csv-safe utc local output
    follow --template: template-file
    follow --header: no-header
    follow --utc: local
    label list --template: template-file
    label list --header: no-header
    label list --utc: local
    feeds list --template: template-file
    feeds list --header: no-header
    feeds list --utc: local
    feeds folders --template: template-file
    feeds folders --header: no-header
    feeds folders --utc: local
    feeds moves --apply: revert format template template-file fields header no-header csv-safe utc local
    feeds moves --revert: format template template-file fields header no-header csv-safe utc local
    feeds moves --template: template-file
    feeds moves --header: no-header
    feeds moves --utc: local
    rules list --template: template-file
    rules list --header: no-header
    rules list --utc: local
    rules test --page: before
    rules test --template: template-file
    rules test --header: no-header
    rules test --utc: local
    hooks list --template: template-file
    hooks list --header: no-header
    hooks list --utc: local
    nodes --template: template-file
    nodes --header: no-header
    nodes --utc: local
    changes --template: template-file
    changes --header: no-header
    changes --utc: local
    status --plan: health failing
    status --health: failing
    status --template: template-file
    status --header: no-header
    status --utc: local
    web status --template: template-file
    web status --header: no-header
    web status --utc: local
    web apps --template: template-file
    web apps --header: no-header
    web apps --utc: local
    web sessions --template: template-file
    web sessions --header: no-header
    web sessions --utc: local
    parse --article: check
    prune --template: template-file
    prune --header: no-header
    prune --utc: local
    check --template: template-file
    check --header: no-header
    check --utc: local
    accounts list --template: template-file
    accounts list --header: no-header
    accounts list --utc: local
    """

  @Test func `An option for certain formats is rejected with other formats`() {
    var lines: [String] = []
    for (option, _) in OptionRules.formats {
      let value =
        option == "fields"
        ? ["--fields", "id"]
        : CommandTable.command(["list"])?.options
          .first { $0.long == option }.map(Self.words) ?? []
      let accepted = OutputFormat.allCases.filter { format in
        message(["list", "--format", format.rawValue] + value) == nil
      }
      lines.append("\(option): \(accepted.map(\.rawValue).joined(separator: " "))")
    }
    #expect(
      lines == [
        "csv-safe: csv", "fields: tsv csv json jsonl", "header: tsv csv",
        "local: text html markdown template",
        "no-header: tsv csv", "output: maildir", "template: template", "template-file: template",
      ]
    )
  }

  @Test func `An option that depends on another is rejected without it`() {
    for option in ["jobs", "tries", "timeout"] {
      #expect(message(["follow", "--\(option)", "1"]) == "--\(option) needs --exec")
      #expect(message(["follow", "--\(option)", "1", "--exec", "true"]) == nil)
    }
    #expect(message(["follow", "--fields", "id", "--exec", "true"]) == nil)
  }

  @Test(arguments: [
    ["search", ""], ["search", " ", "\t"], ["follow", ""], ["rules", "add", "--do", "drop", ""],
  ])
  func `An empty query is rejected`(_ words: [String]) {
    #expect(message(words)?.hasSuffix("needs a QUERY that is not empty") == true)
  }

  @Test func `search rejects words after --history and --forget, but not after --count`() {
    #expect(message(["search", "--history", "linux"]) == "--history does not take 'linux'")
    #expect(message(["search", "--forget", "a", "linux"]) == "--forget does not take 'linux'")
    #expect(message(["search", "--count", "linux"]) == nil)
  }

  @Test func `The error for a word after list suggests newsd search`() {
    #expect(message(["list", "a b"]) == "list does not take 'a b'; 'newsd search 'a b'' does")
  }
}

@Suite struct `Command text` {
  @Test(arguments: [
    (["list", "--unread", "-n", "3", "--page", "2"], "newsd list --unread -n 3", ""),
    (
      ["--db", "a b.db", "list", "--feed", "it's", "--feed=7"],
      "newsd list --db 'a b.db' --feed 'it'\\''s' --feed 7", ""
    ),
    (["search", "linux", "kernel"], "newsd search", "linux kernel"),
    (["search", "\"a b\"", "-not"], "newsd search", "-- '\"a b\"' -not"),
  ])
  func `A page's footer repeats the command that showed it`(
    _ words: [String],
    _ command: String,
    _ query: String
  ) throws {
    let parser = ArgumentParser(table: CommandTable.entries, globalOptions: CommandTable.globalOptions)
    let footer = CommandText(program: "newsd").footer(of: try parser.parse(words))
    #expect(footer == ListFooter(command: command, query: query))
  }

  @Test func `The command text uses the path by which newsd was called`() {
    #expect(CommandContext.program("newsd") == "newsd")
    #expect(CommandContext.program(".build/release/newsd") == ".build/release/newsd")
    #expect(CommandContext.program(nil) == "newsd")
  }
}
