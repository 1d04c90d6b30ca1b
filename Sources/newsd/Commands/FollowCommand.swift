import DIContainer
import Modules
import NewsService

extension CommandTable {
  static let followCommand = CommandSpec(
    "follow",
    "stream items as they are stored, by whichever process stores them",
    details: """
      Prints new items within a second, until SIGINT or a closed pipe. --cursor FILE resumes exactly after the last line
      that was written.
      """,
    options: OptionGroup.filters
      + [
        OptionSpec("limit", short: "n", value: "N", "print the newest N stored items first"),
        OptionSpec("after", value: "SEQ", "begin after this number of the change log"),
        OptionSpec("cursor", value: "FILE", completion: .file, "remember there how far the output has come"),
        OptionSpec("updates", "print items again when they change"),
      ] + OptionGroup.items,
    operands: [OperandSpec("QUERY", .many)],
    takesQuery: true,
    examples: [
      .init("newsd follow --format jsonl | jq -r .title", "titles as they come"),
      .init("newsd follow --cursor ~/.seen --format jsonl title:release", "matches only, nothing twice"),
    ]
  ) { invocation, context in
    let now = context.services.clock.now()
    var filter = try RouteReading(invocation: invocation, now: now).filter()
    if !invocation.operands.isEmpty {
      filter.query = try QueryParser.parse(invocation.operands.joined(separator: " "), now: now).query
    }
    let route = FollowRoute(
      filter: filter,
      after: try invocation.integer("after").map(Int64.init),
      backfill: try invocation.integer("limit") ?? 0,
      includesUpdates: invocation.has("updates")
    )
    let cursor = try invocation.value("cursor").map { try CursorFile(path: $0) }
    let configurator = try context.configurator(invocation)
    guard let signals = context.signals else {
      throw CommandFailure(.internalError, "follow began without its signals")
    }
    // A signal ends the stream between two items, with everything printed flushed.
    return try await withThrowingTaskGroup(of: ExitStatus?.self) { group in
      group.addTask { ExitStatus(screen: try await configurator.runFollow(route, cursor: cursor)) }
      group.addTask {
        for await _ in signals.signals { return nil }
        return nil
      }
      var status = ExitStatus.done
      while let ended = try await group.next() {
        group.cancelAll()
        if let ended { status = ended }
      }
      return status
    }
  }

  static let changesCommand = CommandSpec(
    "changes",
    "the change log: what was stored, edited, marked and removed",
    details: "Each changed thing once, at its latest number, in order; deletions are there too.",
    options: [
      OptionSpec("after", value: "SEQ", "what has changed since this number"),
      OptionSpec("limit", short: "n", value: "N", "at most N changes"),
    ] + OptionGroup.records,
    examples: [
      .init("newsd changes --after 0 --format jsonl", "everything, for a mirror"),
      .init("newsd changes --after 4711 --format tsv", "what is new since a number"),
    ]
  ) { invocation, context in
    let after = Int64(try invocation.integer("after") ?? 0)
    let limit = try invocation.integer("limit").flatMap { $0 == 0 ? nil : $0 }
    return ExitStatus(
      screen: try await context.configurator(invocation).run(.changes(after: after, limit: limit))
    )
  }
}
