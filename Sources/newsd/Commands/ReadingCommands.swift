import DIContainer
import Modules
import NewsCore
import NewsFormats
import NewsText

extension CommandTable {
  static let listCommand = CommandSpec(
    "list",
    "the newest headlines",
    details:
      "Text shows 20 items a page and names page and total; other formats print everything unless -n is given.",
    options: OptionGroup.filters + OptionGroup.paging
      + [
        OptionGroup.open,
        OptionSpec("chart", "items per day as a bar chart: the last 30 days, or since --since"),
      ] + OptionGroup.items,
    modes: [.init("chart", keeps: OptionGroup.filters + OptionGroup.records([]))],
    operandsGoTo: "search",
    needsStore: true,
    examples: [
      .init("newsd list --unread --feed LWN", "unread headlines of one feed"),
      .init("newsd list --since 1d --format tsv | fzf", "pick from today's headlines"),
    ]
  ) { invocation, context in
    let configurator = try context.configurator(invocation)
    let isText = try context.presentation(invocation).format == .text
    let list = try RouteReading(invocation: invocation, now: context.services.clock.now())
      .list(isText: isText, order: .newest)
    if invocation.has("chart") { return ExitStatus(screen: try await configurator.run(.chart(list))) }
    return try await tellingOfNoFeeds(context) {
      try await context.pagedWhenLong(list, isText: isText) {
        try await open(.list(list), invocation, configurator)
      }
    }
  }

  static let showCommand = CommandSpec(
    "show",
    "items whole",
    details: "- reads IDs from standard input, one a line or separated by blanks.",
    options: [
      OptionSpec("versions", "what it said before its feed edited it"),
      OptionSpec("diff", "what the last edit changed"),
    ] + OptionGroup.items,
    modes: [
      .init("versions", keeps: OptionGroup.records([]), takesOperands: true),
      .init("diff", and: ["format", "utc", "local"], takesOperands: true),
    ],
    operands: [OperandSpec("ID", .oneOrMore)],
    needsStore: true,
    examples: [
      .init("newsd show 1234", "read an item"),
      .init("newsd show 1234 --format json", "all that is known of it"),
      .init("newsd list --unread --format ids | newsd show -", "read all that is new"),
    ]
  ) { invocation, context in
    let ids = try itemIDs(invocation.operands)
    guard let id = ids.first else { return .nothingMatched }
    if ids.count > 1, invocation.has("diff") || invocation.has("versions") {
      throw UsageError("--diff and --versions are of one item", command: "show")
    }
    if invocation.has("diff"), try context.presentation(invocation).format != .text {
      throw UsageError(
        "--diff is for people, and text; '--versions --format json' has it all",
        command: "show"
      )
    }
    let route: Route =
      invocation.has("diff") ? .difference(id) : invocation.has("versions") ? .versions(id) : .items(ids)
    return ExitStatus(
      screen: try await context.paged { try await context.configurator(invocation).run(route) }
    )
  }

  static let searchCommand = CommandSpec(
    "search",
    "find items by words",
    details: """
      All words must match: "a phrase", word*, OR, -not and parentheses work as everywhere.
      Fields: title: author: feed: folder: tag: url: lang: is:unread|read|starred has:enclosure since:3d until:DATE.
      Newest first unless --sort says otherwise.
      """,
    options: OptionGroup.filters + OptionGroup.paging
      + [
        OptionGroup.open,
        OptionSpec("history", "print recent queries, newest first"),
        OptionSpec("count", "print only how many items match"),
        OptionSpec("explain", "print how the query is read and which index serves it"),
        OptionSpec(
          "save",
          value: "NAME",
          completion: .searches,
          "keep the query under a name, to stand wherever a feed can"
        ),
        OptionSpec("saved", "list the searches kept so"),
        OptionSpec("forget", value: "NAME", completion: .searches, "drop a search kept so"),
      ] + OptionGroup.items,
    modes: [
      .init("history", keeps: OptionGroup.records([]), and: ["limit"]),
      .init("saved", keeps: OptionGroup.records([])),
      .init("forget"),
      .init("save", keeps: OptionGroup.filters, and: ["sort"], takesOperands: true),
      .init("explain", keeps: OptionGroup.filters, and: ["sort"], takesOperands: true),
      .init("count", keeps: OptionGroup.filters, and: ["cluster"], takesOperands: true),
    ],
    operands: [OperandSpec("QUERY", .many)],
    takesQuery: true,
    needsStore: true,
    examples: [
      .init("newsd search linux kernel -windows", "both words, without the third"),
      .init("newsd search 'title:swift since:7d' --format jsonl | jq .url", "addresses of a week's matches"),
    ]
  ) { invocation, context in
    let configurator = try context.configurator(invocation)
    if invocation.has("history") {
      let limit = try invocation.integer("limit") ?? 20
      return ExitStatus(screen: try await configurator.run(.searchHistory(limit: limit == 0 ? .max : limit)))
    }
    if invocation.has("saved") { return ExitStatus(screen: try await configurator.run(.savedSearches)) }
    if let name = invocation.value("forget") {
      return ExitStatus(
        screen: try await configurator.runSavedSearches { try await $0.remove(name, emit: $1) }
      )
    }
    guard !invocation.operands.isEmpty else { throw UsageError("search needs QUERY", command: "search") }
    var text = invocation.operands.joined(separator: " ")
    if let name = invocation.value("save") {
      text = try RouteReading(invocation: invocation, now: context.services.clock.now()).query(and: text)
      return ExitStatus(
        screen: try await configurator.runSavedSearches { try await $0.save(text, as: name, emit: $1) }
      )
    }
    let reading = RouteReading(invocation: invocation, now: context.services.clock.now())
    if invocation.has("explain") {
      let route = SearchRoute(text: text, list: try reading.list(isText: true, order: .newest))
      for line in try await configurator.explanation(route) {
        try context.output.write(DisplayText(line: line).string + "\n")
      }
      return .done
    }
    let isText = try context.presentation(invocation).format == .text
    let route = SearchRoute(text: text, list: try reading.list(isText: isText, order: .newest))
    if invocation.has("count") {
      let count = try await configurator.count(route)
      try context.output.write("\(count)\n")
      return count == 0 ? .nothingMatched : .done
    }
    return try await tellingOfNoFeeds(context) {
      try await context.pagedWhenLong(route.list, isText: isText) {
        try await open(.search(route), invocation, configurator)
      }
    }
  }

  static let markCommand = CommandSpec(
    "mark",
    "change the state of items",
    details: "- reads IDs from standard input, one a line or separated by blanks.",
    operands: [
      OperandSpec("read|unread|starred|unstarred", completion: .words(ItemMark.allCases.map(\.rawValue))),
      OperandSpec("ID", .oneOrMore),
    ],
    needsStore: true,
    examples: [
      .init("newsd mark starred 1234 1235", "star two items"),
      .init("newsd list --feed LWN --format tsv --fields id | newsd mark read -", "mark a feed read"),
    ]
  ) { invocation, context in
    guard let mark = ItemMark(rawValue: invocation.operands[0]) else {
      let names = ItemMark.allCases.map(\.rawValue)
      throw UsageError(
        "mark takes \(names.joined(separator: ", ")), not '\(invocation.operands[0])'"
          + Suggestion.text(for: invocation.operands[0], among: names),
        command: "mark"
      )
    }
    let ids = try itemIDs(invocation.operands.dropFirst())
    var presentation = try context.presentation(invocation)
    presentation.output = context.isQuiet ? NowhereWriter() : presentation.messages
    let configurator = Configurator(services: context.services, presentation: presentation)
    let status = ExitStatus(screen: try await configurator.run(.mark(ids, mark)))
    return status == .nothingMatched ? .done : status
  }

  /// Nothing found is no news to anybody but who has no subscription yet.
  private static func tellingOfNoFeeds(
    _ context: CommandContext,
    _ body: () async throws -> ExitStatus
  ) async throws -> ExitStatus {
    let status = try await body()
    if status == .nothingMatched, try await context.services.store().feeds().isEmpty {
      context.note("no subscriptions yet: 'newsd feeds add URL' adds one, 'newsd feeds import FILE' a list")
    }
    return status
  }

  /// Runs a list or search, or with `--open N` the item that it leads to.
  private static func open(
    _ route: Route,
    _ invocation: Invocation,
    _ configurator: Configurator
  ) async throws -> ExitStatus {
    guard let ordinal = try invocation.integer("open", in: 1...ListRoute.largestPage) else {
      return ExitStatus(screen: try await configurator.run(route))
    }
    return ExitStatus(screen: try await configurator.run(try await configurator.open(ordinal, of: route)))
  }

  /// Items by their IDs; `-` stands for those on standard input.
  private static func itemIDs(_ words: some Sequence<String>) throws -> [NewsItem.ID] {
    var ids: [NewsItem.ID] = []
    for word in words {
      guard word == "-" else {
        ids.append(try itemID(word))
        continue
      }
      let text = String(decoding: try InputFile.read("-"), as: UTF8.self)
      for part in text.split(whereSeparator: \.isWhitespace) { ids.append(try itemID(String(part))) }
    }
    return ids
  }

  static func itemID(_ text: String) throws(UsageError) -> NewsItem.ID {
    guard let number = Int64(text), number > 0 else {
      throw UsageError("an item's ID is a whole number, as 'newsd list' prints it, not '\(text)'")
    }
    return NewsItem.ID(rawValue: number)
  }
}
