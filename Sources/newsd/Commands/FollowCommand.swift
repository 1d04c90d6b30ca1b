import DIContainer
import Modules
import NewsCore
import NewsFormats
import NewsToolbox

extension CommandTable {
  static let followCommand = CommandSpec(
    "follow",
    "stream items as they are stored, by whichever process stores them",
    details: """
      Prints new items within a second, until SIGINT or a closed pipe. --cursor FILE resumes exactly after the last line
      that was written. --exec runs a program for each item instead, the item as a JSON object on its standard input: no
      shell, its words split at blanks and quotes. One that fails is run again after 1, 2, 4, … seconds; with --cursor an
      item counts when its program has succeeded or was given up. --updates shows edits; marks are in 'newsd changes'.
      """,
    options: OptionGroup.filters
      + [
        OptionSpec("limit", short: "n", value: "N", "print the newest N stored items first"),
        OptionSpec("after", value: "SEQ", "begin after this number of the change log"),
        OptionSpec("cursor", value: "FILE", completion: .file, "remember there how far the output has come"),
        OptionSpec("updates", "print items again when their feed edits them"),
        OptionSpec("exec", value: "COMMAND", "run this program for each item instead of printing it"),
        OptionSpec(
          "jobs",
          value: "N",
          "with --exec: at most N programs at a time (default 4; 1 keeps their order)"
        ),
        OptionSpec("tries", value: "N", "with --exec: give an item up after N failures (default 5)"),
        OptionSpec("timeout", value: "T", "with --exec: end a program after T, such as 30s or 10m"),
      ] + OptionGroup.items,
    modes: [
      .init(
        "exec",
        compatible: OptionGroup.filters,
        and: ["limit", "after", "cursor", "updates", "fields"],
        dependent: ["jobs", "tries", "timeout"],
        takesOperands: true,
        format: .jsonl
      )
    ],
    operands: [OperandSpec("QUERY", .many)],
    takesQuery: true,
    needsStore: true,
    examples: [
      .init("newsd follow --format jsonl | jq -r .title", "titles as they come"),
      .init("newsd follow --cursor ~/.seen --format jsonl title:release", "matches only, nothing twice"),
      .init(
        "newsd follow --cursor ~/.sent --exec 'my-notifier --urgent' feed:status",
        "a program for each item"
      ),
    ],
    route: { invocation, context in
      var filter = try context.reading(invocation).filter()
      if !invocation.operands.isEmpty {
        let text = invocation.operands.joined(separator: " ")
        filter.query = try QueryParser.parse(text, now: context.services.clock.now()).query
      }
      return .follow(
        FollowRoute(
          filter: filter,
          after: try invocation.integer("after").map(Int64.init),
          backfill: try invocation.integer("limit") ?? 0,
          includesUpdates: invocation.has("updates"),
          cursor: invocation.value("cursor"),
          program: try itemProgram(invocation)
        )
      )
    }
  )

  /// The program that `--exec` names; nil without `--exec`.
  private static func itemProgram(_ invocation: Invocation) throws -> ItemProgram? {
    guard let line = invocation.value("exec") else { return nil }
    let words: [String]
    do {
      words = try CommandWords.split(line)
    } catch {
      throw UsageError("--exec: \(error.message)", command: "follow")
    }
    guard ExecutableSearch.finds(words[0]) else {
      throw UserMessage(code: .notFound, text: "--exec: there is no program \(words[0])")
    }
    return ItemProgram(
      words: words,
      jobs: try invocation.integer("jobs", in: 1...256) ?? 4,
      tries: try invocation.integer("tries", in: 1...1000) ?? 5,
      timeout: try invocation.value("timeout").map { text in
        do {
          return try ConfigurationValue.seconds(text, 1...86_400) * 1000
        } catch let problem as ConfigurationValue.Problem {
          throw UsageError("--timeout \(problem.message)", command: "follow")
        }
      }.map(Int.init)
    )
  }

  static let changesCommand = CommandSpec(
    "changes",
    "the change log: what was stored, edited, marked and removed",
    details: """
      Each changed thing once, at its latest number, in order; deletions are there too. Feeds stand in it when they are
      new, renamed, moved to another folder or address, or removed.
      """,
    options: [
      OptionSpec("after", value: "SEQ", "what has changed since this number"),
      OptionSpec("limit", short: "n", value: "N", "at most N changes"),
    ] + OptionGroup.records(FieldNames.changes),
    needsStore: true,
    examples: [
      .init("newsd changes --after 0 --format jsonl", "everything, for a mirror"),
      .init("newsd changes --after 4711 --format tsv", "what is new since a number"),
    ],
    route: { invocation, context in
      let after = Int64(try invocation.integer("after") ?? 0)
      let limit = try invocation.integer("limit").flatMap { $0 == 0 ? nil : $0 }
      return .changes(ChangesRoute(after: after, limit: limit))
    }
  )
}
