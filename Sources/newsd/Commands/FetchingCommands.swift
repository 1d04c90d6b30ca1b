import DIContainer
import Glibc
import Modules
import NewsService

extension CommandTable {
  static let fetchCommand = CommandSpec(
    "fetch",
    "refresh feeds now",
    details: """
      Refreshes all feeds, or those named, whether they are due or not. A host that has asked to be left alone
      (Retry-After) is skipped unless its feed is named.
      """,
    options: [OptionSpec("due", "only feeds whose time has come")],
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
    let isLive = !context.isQuiet && isatty(STDERR_FILENO) == 1
    let configurator = Configurator(services: context.services, presentation: presentation)
    let route = FetchRoute(feeds: invocation.operands, onlyDue: invocation.has("due"))
    let detail: RefreshView.Detail = context.isVerbose ? .everyFeed : .failures
    return ExitStatus(screen: try await configurator.runFetch(route, detail: detail, isLive: isLive))
  }

  static let parseCommand = CommandSpec(
    "parse",
    "parse one document and print it as JSON Feed 1.1",
    details: "No store is touched. What JSON Feed has no place for stands under _newsd.",
    options: [
      OptionSpec("base-url", value: "URL", "what relative links are resolved against"),
      OptionSpec("content-type", value: "CT", "the Content-Type that the document came with"),
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
    let document = FeedDocument(
      bytes: try InputFile.read(invocation.operands[0]),
      contentType: invocation.value("content-type"),
      baseURL: invocation.value("base-url")
    )
    let feed = try context.services.parser.parse(document)
    try context.output.write(ParsedFeedJSON.bytes(feed))
    try context.output.write("\n")
    return .done
  }
}
