import NewsSearch
import Glibc
import DIContainer
import Modules
import NewsCore
import NewsFormats
import NewsToolbox

extension CommandTable {
  static let followCommands = [Entry("follow") { followCommand }]

  static let followCommand = CommandSpec(
    "follow",
    "print new items as soon as any process stores them",
    details: """
      Prints each new item, usually within a second, until SIGINT or SIGTERM, or until the program that reads
      its output ends. --cursor FILE continues exactly after the last line that was written. --updates prints
      edited items again; 'newsd changes' also lists marks.

      With --exec, newsd instead starts a program for each item and writes the item to the program's standard
      input as a JSON object. COMMAND is split at blanks and quotes, without a shell. A program that fails is
      started again after 1, 2, 4, … seconds. With --cursor, an item counts as done when its program has
      succeeded or has failed --tries times.
      """,
    options: OptionGroup.filters
      + [
        OptionSpec("limit", short: "n", value: "N", "first print the newest N stored items"),
        OptionSpec("after", value: "SEQ", "begin after this number in the change log"),
        OptionSpec(
          "cursor",
          value: "FILE",
          completion: .file,
          "continue after the position in FILE, and update FILE"
        ),
        OptionSpec("updates", "print items again when their feed edits them"),
        OptionSpec("exec", value: "COMMAND", "run this program for each item instead of printing it"),
        OptionSpec(
          "jobs",
          value: "N",
          "with --exec: at most N programs at a time (default 4; 1 keeps the order of the items)"
        ),
        OptionSpec("tries", value: "N", "with --exec: give up an item after N failures (default 5)"),
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
    isHeavy: true,
    signals: [SIGTERM, SIGINT],
    examples: [
      .init("newsd follow --format jsonl | jq -r .title", "print the titles of new items"),
      .init(
        "newsd follow --cursor ~/.seen --format jsonl title:release",
        "print each match once, also after a restart"
      ),
      .init(
        "newsd follow --cursor ~/.sent --exec 'my-notifier --urgent' feed:status",
        "run a program for each new item of a feed"
      ),
    ],
    task: { invocation, context in
      var filter = try context.reading(invocation).filter()
      if !invocation.operands.isEmpty {
        let text = invocation.operands.joined(separator: " ")
        filter.query = try QueryParser.parse(text, now: context.services.clock.now()).query
      }
      let request = FollowRequest(
        filter: filter,
        after: try invocation.integer("after").map(Int64.init),
        backfill: try invocation.integer("limit") ?? 0,
        includesUpdates: invocation.has("updates"),
        cursor: invocation.value("cursor"),
        program: try itemProgram(invocation)
      )
      return .run { configurator in
        let output = StoppableWriter(descriptor: STDOUT_FILENO)
        return try await context.untilSignalled(output, watchesReader: request.program == nil) {
          var configurator = configurator
          configurator.presentation.output = output
          return try await configurator.follow(request)
        }
      }
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
}
