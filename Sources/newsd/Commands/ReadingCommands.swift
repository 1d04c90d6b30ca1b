import NewsSearch
import DIContainer
import Modules
import NewsCore
import NewsFormats
import NewsToolbox

extension CommandTable {
  static let readingCommands = [
    Entry("list") { listCommand },
    Entry("next") { nextCommand },
    Entry("show") { showCommand },
    Entry("open") { openCommand },
    Entry("search") { searchCommand },
  ]

  static let listCommand = CommandSpec(
    "list",
    "list the newest headlines",
    details: """
      The text format shows 20 items per page, with page number and total; other formats print all items unless
      -n or --page is given. With --cursor FILE, newsd prints all items that were stored since the last run with
      FILE (at the first run, all items), and updates FILE after the output. A digest from cron thus neither
      repeats nor misses an item, even if the item has an old date.
      """,
    options: OptionGroup.filters + OptionGroup.paging
      + [
        OptionGroup.open, OptionGroup.cursor,
        OptionSpec(
          "chart",
          "print the number of items per day as a bar chart, for the last 30 days or since --since"
        ),
      ] + OptionGroup.items,
    modes: [
      .init("chart", compatible: OptionGroup.filters + OptionGroup.records([])),
      .init("cursor", compatible: OptionGroup.filters + OptionGroup.items, and: ["sort", "cluster"]),
    ],
    suggestedCommand: "search",
    needsStore: true,
    examples: [
      .init("newsd list --unread --feed LWN", "list the unread headlines of one feed"),
      .init("newsd list --since 1d --format tsv | fzf", "pick from the headlines of the last 24 hours"),
    ],
    task: { invocation, context in
      let list = try context.reading(invocation).list(order: .newest)
      if invocation.has("chart") { return .run { try await $0.chart(list) } }
      return try opened(.list(list), invocation)
    }
  )

  static let showCommand = CommandSpec(
    "show",
    "show items in full",
    details: "'-' reads IDs from standard input, separated by line breaks or blanks.",
    options: [
      OptionGroup.markRead,
      OptionSpec("versions", "print every version of the item"),
      OptionSpec("diff", "print what the last edit changed"),
      OptionSpec("article", "fetch the page that the item links to, and show the whole article"),
    ] + OptionGroup.items,
    modes: [
      .init("versions", compatible: OptionGroup.records([]), takesOperands: true),
      .init("diff", and: ["format", "utc", "local"], takesOperands: true),
    ],
    operands: [OperandSpec("ID", .oneOrMore)],
    needsStore: true,
    changesStore: .with("mark-read", "article"),
    isHeavy: .with("article"),
    examples: [
      .init("newsd show 1234", "read an item"),
      .init("newsd show 1234 --format json", "print all fields of an item"),
      .init("newsd list --unread --format ids | newsd show --mark-read -", "read all unread items"),
    ],
    task: { invocation, context in
      let ids = try itemIDs(invocation.operands)
      if ids.count > 1, invocation.has("diff") || invocation.has("versions") {
        throw UsageError("--diff and --versions take exactly one ID", command: "show")
      }
      if invocation.has("diff"), context.format(invocation) != .text {
        throw UsageError(
          "--diff prints text only; '--versions --format json' prints every version",
          command: "show"
        )
      }
      if let id = ids.first, invocation.has("diff") { return .open(.difference(id)) }
      if let id = ids.first, invocation.has("versions") { return .open(.versions(id)) }
      let marksRead = invocation.has("mark-read")
      if invocation.has("article") {
        return .run(.always) { try await $0.items(ids, marksRead: marksRead, readsPages: true) }
      }
      return .open(marksRead ? .read(ids) : .items(ids))
    }
  )

  static let searchCommand = CommandSpec(
    "search",
    "find items by words",
    details: """
      All words must match. "a phrase", word*, OR, -word and parentheses work as in other search engines.
      Fields: title: author: feed: folder: tag: label: url: lang: is:unread|read|starred has:enclosure
      since:3d until:DATE stored:3d sort:oldest saved:NAME. The newest items come first unless --sort or
      sort: says otherwise.
      """,
    options: OptionGroup.filters + OptionGroup.paging
      + [
        OptionGroup.open, OptionGroup.cursor,
        OptionSpec("history", "print recent queries, newest first"),
        OptionSpec("count", "print only how many items match"),
        OptionSpec("explain", "print how newsd reads the query and which index it uses"),
        OptionSpec(
          "save",
          value: "NAME",
          completion: .searches,
          "save the query as NAME; commands accept NAME in place of FEED"
        ),
        OptionSpec("saved", "list the saved searches"),
        OptionSpec("forget", value: "NAME", completion: .searches, "delete a saved search"),
      ] + OptionGroup.items,
    modes: [
      .init("history", compatible: OptionGroup.records([]), and: ["limit"]),
      .init("saved", compatible: OptionGroup.records([])),
      .init("forget"),
      .init("save", compatible: OptionGroup.filters, and: ["sort"], takesOperands: true),
      .init("explain", compatible: OptionGroup.filters, and: ["sort"], takesOperands: true),
      .init("count", compatible: OptionGroup.filters, and: ["cluster"], takesOperands: true),
      .init(
        "cursor",
        compatible: OptionGroup.filters + OptionGroup.items,
        and: ["sort", "cluster"],
        takesOperands: true
      ),
    ],
    operands: [OperandSpec("QUERY", .many)],
    takesQuery: true,
    needsStore: true,
    changesStore: .with("save", "forget"),
    examples: [
      .init("newsd search linux kernel -windows", "find items with linux and kernel, but without windows"),
      .init(
        "newsd search 'title:swift since:7d' --format jsonl | jq .url",
        "print the URLs of the matches of the last 7 days"
      ),
      .init("newsd search CVE --cursor ~/.seen-cve", "from cron: print new matches since the last run"),
    ],
    task: { invocation, context in
      if invocation.has("history") {
        let limit = try invocation.integer("limit") ?? 20
        return .run { try await $0.searchHistory(limit: limit == 0 ? .max : limit) }
      }
      if invocation.has("saved") { return .run { try await $0.savedSearches(.list) } }
      if let name = invocation.value("forget") {
        return .run { try await $0.savedSearches(.remove(name: name)) }
      }
      guard !invocation.operands.isEmpty else { throw UsageError("search needs QUERY", command: "search") }
      let text = invocation.operands.joined(separator: " ")
      let reading = try context.reading(invocation)
      if let name = invocation.value("save") {
        let query = try reading.query(and: text)
        return .run { try await $0.savedSearches(.save(query: query, name: name)) }
      }
      let search = SearchRoute(text: text, list: try reading.list(order: .newest))
      if invocation.has("explain") { return .run { try await $0.searchExplanation(search) } }
      if invocation.has("count") { return .run { try await $0.searchCount(search) } }
      return try opened(.search(search), invocation)
    }
  )

  static let nextCommand = CommandSpec(
    "next",
    "show the newest unread item and mark it read",
    details:
      "Filters and a QUERY select among the unread items. If there is no such item, the exit status is 1.",
    options: OptionGroup.unreadFilters
      + [
        OptionSpec(
          "sort",
          value: "ORDER",
          completion: .words(["newest", "oldest", "relevance"]),
          "newest (default), oldest or relevance"
        )
      ] + OptionGroup.items,
    operands: [OperandSpec("QUERY", .many)],
    takesQuery: true,
    needsStore: true,
    changesStore: true,
    examples: [
      .init("newsd next", "read the news one by one"),
      .init("newsd next --folder News --sort oldest", "begin with the oldest unread item of one folder"),
    ],
    task: { invocation, context in
      let order = try invocation.choice("sort", of: ItemOrder.self) ?? .newest
      let request = NextItemRequest(filter: try selection(invocation, context).filter, order: order)
      return .run(.always) { try await $0.next(request) }
    }
  )

  static let openCommand = CommandSpec(
    "open",
    "open the pages of items in the browser",
    details: """
      Runs $BROWSER, else xdg-open, with the item's link as its last argument; no shell is involved. Only http
      and https links are opened. '-' reads IDs from standard input.
      """,
    options: [OptionGroup.markRead],
    operands: [OperandSpec("ID", .oneOrMore)],
    needsStore: true,
    changesStore: .with("mark-read"),
    examples: [
      .init("newsd open 1234", "see an item on its site"),
      .init("newsd list --starred --format ids | newsd open -", "open all starred items"),
    ],
    task: { invocation, context in
      let ids = try itemIDs(invocation.operands)
      return .run {
        try await $0.browse(ids, marksRead: invocation.has("mark-read")) {
          try Browser(environment: context.environment, credentials: $1).open($0)
        }
      }
    }
  )

  /// The filter of the options and the query, and whether it selects all items.
  static func selection(
    _ invocation: Invocation,
    _ context: CommandContext,
    words: [String]? = nil
  ) throws -> (filter: ItemFilter, isEverything: Bool) {
    let reading = try context.reading(invocation)
    var filter = try reading.filter()
    let words = words ?? invocation.operands
    if !words.isEmpty {
      let text = words.joined(separator: " ")
      guard !text.utf8.allSatisfy({ $0 == UInt8(ascii: " ") }) else {
        throw UsageError("QUERY is empty", command: invocation.path.first)
      }
      filter.query = try QueryParser.parse(text, now: reading.now).query
    }
    return (filter, words.isEmpty && filter == ItemFilter())
  }

  /// Shows a list or search: with `--cursor`, its new items; with `--open`, the selected item.
  private static func opened(_ route: Route, _ invocation: Invocation) throws -> CommandTask {
    if let path = invocation.value("cursor") {
      return .run(.init(route)) { try await $0.arrivals(in: route, cursor: path) }
    }
    guard let word = invocation.value("open") else { return .open(route) }
    if word.hasPrefix("id:") {
      return .open(.items([try NewsItem.ID(typed: String(word.dropFirst("id:".count)))]))
    }
    guard let ordinal = Int(word), (1...ListRoute.largestPage).contains(ordinal) else {
      throw UsageError("--open takes a place in the list or id:ID, not '\(word)'")
    }
    return .run(.always) { try await $0.item(ordinal, in: route) }
  }

  /// Reads IDs; `-` reads more from standard input.
  static func itemIDs(_ words: some Sequence<String>) throws -> [NewsItem.ID] {
    var ids: [NewsItem.ID] = []
    for word in words {
      guard word == "-" else {
        ids.append(try NewsItem.ID(typed: word))
        continue
      }
      let text = String(decoding: try InputFile.read("-"), as: UTF8.self)
      for part in text.split(whereSeparator: \.isWhitespace) {
        ids.append(try NewsItem.ID(typed: String(part)))
      }
    }
    return ids
  }
}
