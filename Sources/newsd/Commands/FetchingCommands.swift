import DIContainer
import Modules
import NewsCore
import NewsText

extension CommandTable {
  static let fetchCommand = CommandSpec(
    "fetch",
    "refresh feeds now",
    details: """
      Refreshes all feeds, or those named, whether they are due or not. A host that has asked to be left alone
      (Retry-After) is skipped unless its feed is named.
      """,
    options: [
      OptionSpec("due", "only feeds whose time has come"),
      OptionSpec(
        "record",
        value: "DIR",
        completion: .directory,
        "keep the raw responses there, for a bug report"
      ),
    ],
    operands: [OperandSpec("FEED", .many, completion: .feeds)],
    examples: [
      .init("newsd fetch", "refresh everything"),
      .init("newsd fetch --due -q", "from cron: refresh what is due, say nothing but errors"),
    ]
  ) { invocation, context in
    if invocation.has("due"), !invocation.operands.isEmpty {
      throw UsageError(
        "--due is for all feeds; feeds that are named are fetched in any case",
        command: "fetch"
      )
    }
    var presentation = try context.presentation(invocation)
    if context.isQuiet { presentation.messages = NowhereWriter() }
    let probe = context.messageProbe
    presentation.terminal = probe.terminal(zone: presentation.terminal.zone, now: presentation.terminal.now)
    presentation.currentWidth = { probe.width }
    let isLive = !context.isQuiet && probe.canRedraw
    let configurator = Configurator(services: context.services, presentation: presentation)
    let route = FetchRoute(feeds: invocation.operands, onlyDue: invocation.has("due"))
    let detail: RefreshView.Detail = context.isVerbose ? .everyFeed : .failures
    guard let directory = invocation.value("record") else {
      return ExitStatus(screen: try await configurator.runFetch(route, detail: detail, isLive: isLive))
    }
    let records: RecordDirectory
    do throws(RecordError) {
      records = try RecordDirectory(directory, isCreated: true)
    } catch {
      throw CommandFailure(.cannotCreate, error.message)
    }
    let recorder = FetchRecorder(context.services.fetcher, records: records)
    let status = try await configurator.runFetch(route, detail: detail, isLive: isLive, fetcher: recorder)
    if let error = recorder.error { throw error }
    context.note("\(recorder.count) exchange\(recorder.count == 1 ? "" : "s") kept in \(directory)")
    return ExitStatus(screen: status)
  }

  static let replayCommand = CommandSpec(
    "replay",
    "refresh the store from recorded responses",
    details:
      "Reads what 'newsd fetch --record DIR' kept; no network is touched. Use a store of its own (--db).",
    operands: [OperandSpec("DIR", completion: .directory)],
    examples: [
      .init("newsd --db /tmp/bug.db replay bug-report", "see what a reporter saw"),
      .init("newsd --db /tmp/bug.db list", "and look at it"),
    ]
  ) { invocation, context in
    let records: RecordDirectory
    do throws(RecordError) {
      records = try RecordDirectory(invocation.operands[0], isCreated: false)
    } catch {
      throw CommandFailure(.noInput, error.message)
    }
    let replayer: FetchReplayer
    do throws(RecordError) {
      replayer = try FetchReplayer(records: records, clock: context.services.clock)
    } catch {
      throw CommandFailure(.badData, error.message)
    }
    for name in replayer.unreadable {
      context.warn("\(invocation.operands[0])/\(name) is no recorded exchange")
    }
    var presentation = try context.presentation(invocation)
    if context.isQuiet { presentation.messages = NowhereWriter() }
    let configurator = Configurator(services: context.services, presentation: presentation)
    return ExitStatus(
      screen: try await configurator.runReplay(replayer, detail: context.isVerbose ? .everyFeed : .failures)
    )
  }

  static let parseCommand = CommandSpec(
    "parse",
    "parse one document and print it as JSON Feed 1.1",
    details: "No store is touched. What JSON Feed has no place for stands under _newsd.",
    options: [
      OptionSpec("base-url", value: "URL", "what relative links are resolved against"),
      OptionSpec("content-type", value: "CT", "the Content-Type that the document came with"),
      OptionSpec("check", "print what its publisher should mend, one finding a line with line and column"),
    ],
    operands: [OperandSpec("FILE|-", completion: .file)],
    examples: [
      .init("newsd parse feed.xml | jq .items[0].title", "the first title"),
      .init(
        "curl -s https://example.org/feed | newsd parse --base-url https://example.org/ -",
        "from a pipe"
      ),
    ]
  ) { invocation, context in
    if let base = invocation.value("base-url"), base.utf8.count > 4096 {
      throw UsageError("--base-url is longer than 4096 bytes", command: "parse")
    }
    let writer = ParsedFeedWriter(context.output)
    var document = FeedDocument(
      bytes: [],
      contentType: invocation.value("content-type"),
      baseURL: invocation.value("base-url")
    )
    // Item by item, so that a long document needs memory for one; nothing is printed before it is known to be a feed.
    if !invocation.has("check"), let file = MappedFile(invocation.operands[0]) {
      let parser = context.services.parser
      let feed = try file.withBytes { bytes throws(FeedParseError) in
        try parser.parse(document, mapped: bytes) { writer.take($0) }
      }
      try writer.finish(feed)
      return .done
    }
    document.bytes = try InputFile.read(invocation.operands[0])
    if invocation.has("check") {
      let problems = try context.services.parser.check(document)
      for problem in problems {
        let place = problem.line > 0 ? "\(problem.line):\(problem.column): " : ""
        try context.output.write(
          DisplayText(line: "\(invocation.operands[0]):\(place)\(problem.message)").string + "\n"
        )
      }
      return .done
    }
    try writer.finish(try context.services.parser.parse(document) { writer.take($0) })
    return .done
  }
}
