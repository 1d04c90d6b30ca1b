import DIContainer
import Glibc
import Modules
import NewsCore
import NewsFormats
import NewsText

extension CommandTable {
  static let feedsCommand = CommandSpec(
    "feeds",
    "subscriptions",
    details: "FEED is an id, a URL or a title, or a part of a title that fits no other.",
    defaultSubcommand: "list",
    subcommands: [
      feedsList, feedsFolders, feedsAdd, feedsRemove, feedsRename, feedsMove, feedsImport, feedsExport,
      feedsMoves,
      feedsIdentity, feedsSet,
    ]
  )

  static let feedOperand = OperandSpec("FEED", completion: .feeds)

  private static let feedsList = CommandSpec(
    "list",
    "list the feeds with counts and health",
    options: [
      OptionSpec("unread", "only feeds with unread items"),
      OptionSpec("failing", "only feeds that 'newsd status --failing' names"),
      OptionGroup.folder,
      OptionSpec(
        "sort",
        value: "ORDER",
        completion: .words(SubscriptionsRoute.Order.allCases.map(\.rawValue)),
        "position (your own order, the default), title, unread (most first), last (latest fetch first) or failures"
      ),
    ] + OptionGroup.feeds,
    needsStore: true,
    examples: [
      .init("newsd feeds", "list all subscriptions"),
      .init("newsd feeds list --unread --folder News --sort unread", "see where unread news is"),
      .init("newsd feeds list --failing --format ids", "name the feeds that fail, for scripts"),
    ]
  ) { invocation, context in
    let route = SubscriptionsRoute(
      folders: invocation.values("folder"),
      hasUnread: invocation.has("unread"),
      isFailing: invocation.has("failing"),
      order: try invocation.choice("sort", of: SubscriptionsRoute.Order.self) ?? .position
    )
    let status = ExitStatus(screen: try await context.configurator(invocation).run(.subscriptions(route)))
    // Without filters an empty list is no search without a match.
    return status == .nothingMatched && route.isComplete ? .done : status
  }

  private static let feedsFolders = CommandSpec(
    "folders",
    "list the folders with what is in and below each: feeds, unread and all items",
    options: OptionGroup.records(FieldNames.folders),
    needsStore: true,
    examples: [
      .init("newsd feeds folders", "see where unread news is"),
      .init("newsd feeds folders --format tsv --fields folder,unread", "for a status bar"),
    ]
  ) { invocation, context in
    let status = ExitStatus(screen: try await context.configurator(invocation).run(.folders))
    return status == .nothingMatched ? .done : status
  }

  private static let feedsAdd = CommandSpec(
    "add",
    "subscribe to a feed, or to the feed of a page",
    details: """
      A page with one feed adds that; with several, they are listed with numbers and --pick chooses. What the one
      request brought is stored at once.
      """,
    options: [
      OptionSpec("title", value: "TITLE", "your own title for it"),
      OptionSpec("folder", value: "F", completion: .folders, "the folder it goes to"),
      OptionSpec("pick", value: "N", "the Nth feed of the page"),
      OptionSpec("force", "add it even if it cannot be reached"),
      OptionSpec(
        "set",
        value: "KEY=VALUE",
        repeats: true,
        "a setting of this feed, as 'newsd help feeds set' lists them"
      ),
    ],
    operands: [OperandSpec("URL")],
    examples: [
      .init("newsd feeds add https://lwn.net/headlines/rss", "subscribe to a feed"),
      .init("newsd feeds add example.org --pick 2", "to the second feed of a page"),
    ]
  ) { invocation, context in
    var settings = FeedSettings()
    try FeedSettingKey.apply(invocation.values("set"), to: &settings)
    let options = FeedAdditionOptions(
      title: invocation.value("title"),
      folder: invocation.value("folder"),
      settings: settings,
      pick: try invocation.integer("pick", in: 1...1000),
      isForced: invocation.has("force"),
      directory: workingDirectory
    )
    let adder = try context.services.makeFeedAdder()
    let addition = try await adder.add(invocation.operands[0], options)
    await context.services.shutdown()
    switch addition {
    case .added(let feed, let items):
      if feed.settings.secretsFor != nil {
        context.warn(
          "\(WebAddress.redacted(feed.url)) is another host: the credential and headers given are not sent there"
        )
      }
      if feed.settings.verifiesTLS == false { context.warn("the certificates of this feed are not verified") }
      return try await say(.added(feed, items: items), invocation, context)
    case .addedUnreached(let feed, let failure):
      context.warn("added, but it could not be reached: \(failure.message)")
      return try await say(.added(feed, items: 0), invocation, context)
    case .choices(let page, let feeds):
      var text = "\(page) has \(feeds.count) feeds; choose one with --pick N:\n"
      for (index, feed) in feeds.enumerated() {
        text += "\(index + 1)  \(feed.url)  \(feed.title ?? "")  \(feed.mimeType ?? "")\n"
      }
      StandardError.write(DisplayText(block: text).string)
      return .badData
    }
  }

  private static let feedsRemove = CommandSpec(
    "remove",
    "unsubscribe from feeds and delete their items",
    details:
      "FEED is an id, a URL or a whole title here. Where one of several cannot be told, none is removed.",
    operands: [OperandSpec("FEED", .oneOrMore, completion: .feeds)],
    needsStore: true,
    examples: [
      .init("newsd feeds remove 7 12", "by id"),
      .init("newsd feeds remove https://example.org/feed", "by URL"),
    ]
  ) { invocation, context in
    try await change(invocation, context) { try await $0.remove(invocation.operands, emit: $1) }
  }

  private static let feedsRename = CommandSpec(
    "rename",
    "give a feed your own title",
    operands: [feedOperand, OperandSpec("TITLE")],
    needsStore: true,
    examples: [
      .init("newsd feeds rename 7 'Kernel news'", "by id"),
      .init("newsd feeds rename lwn 'Kernel news'", "by a part of its title"),
    ]
  ) { invocation, context in
    try await change(invocation, context) {
      try await $0.rename(invocation.operands[0], to: invocation.operands[1], emit: $1)
    }
  }

  private static let feedsMove = CommandSpec(
    "move",
    "move a feed in your order, or to a folder",
    options: [
      OptionSpec("to", value: "N", "to the Nth place"),
      OptionSpec("folder", value: "F", completion: .folders, "to this folder; '' is the top"),
    ],
    operands: [feedOperand],
    needsStore: true,
    examples: [
      .init("newsd feeds move 7 --to 1", "to the top of the list"),
      .init("newsd feeds move 7 --folder News/Europe", "into a folder"),
    ]
  ) { invocation, context in
    let position = try invocation.integer("to", in: 1...Int.max)
    let folder = invocation.value("folder")
    guard position != nil || folder != nil else {
      throw UsageError("feeds move needs --to N or --folder F", command: "feeds")
    }
    var status = ExitStatus.done
    if let folder {
      status = try await change(invocation, context) {
        try await $0.move(invocation.operands[0], toFolder: folder, emit: $1)
      }
    }
    if let position, status == .done {
      status = try await change(invocation, context) {
        try await $0.move(invocation.operands[0], to: position, emit: $1)
      }
    }
    return status
  }

  private static let feedsImport = CommandSpec(
    "import",
    "subscribe to the feeds of a list: OPML, newsboat's urls file, sfeedrc",
    details:
      "Nothing is fetched and nothing in the list is executed; feeds that are there already are passed over.",
    options: [
      OptionSpec("folder", value: "F", completion: .folders, "where feeds without a folder go"),
      OptionSpec(
        "trust",
        "the list is your own: take its credentials, headers, certificates, proxies and larger sizes too"
      ),
    ],
    operands: [OperandSpec("FILE|-", completion: .file)],
    examples: [
      .init("newsd feeds import feeds.opml", "from another reader"),
      .init("newsd feeds import ~/.newsboat/urls", "from newsboat"),
    ]
  ) { invocation, context in
    let path = invocation.operands[0]
    let bytes = try InputFile.read(path)
    if let problem = ImportKind.listProblem(bytes, path: path) { throw CommandFailure(.badData, problem) }
    let report = try await context.services.makeSubscriptionTransfer()
      .importList(bytes, folder: invocation.value("folder"), isTrusted: invocation.has("trust"))
    for (entry, reason) in report.refused {
      context.warn(DisplayText(line: "\(WebAddress.redacted(entry)): \(reason)").string)
    }
    for feed in report.stripped {
      context.warn(
        DisplayText(
          line:
            "\(WebAddress.redacted(feed.url)): its credentials, headers, certificates, proxy or size were not taken over"
        )
        .string
      )
    }
    if !report.stripped.isEmpty { context.note("Import a list of your own with --trust to keep them.") }
    for entry in report.leftOut {
      context.warn(
        DisplayText(line: "\(entry.url): not taken over: \(entry.what.joined(separator: ", "))").string
      )
    }
    for rule in report.rules {
      context.note(DisplayText(line: "Added rule \(rule.number): \(rule.query) → \(rule.actionList)").string)
    }
    for search in report.searches {
      context.note(DisplayText(line: "Saved the search '\(search.name)'.").string)
    }
    return try await say(.imported(report.added, duplicates: report.duplicates.count), invocation, context)
  }

  private static let feedsExport = CommandSpec(
    "export",
    "all subscriptions as OPML 2.0, but for those that 'newsd ingest' fills",
    needsStore: true,
    examples: [
      .init("newsd feeds export > feeds.opml", "keep them, or take them elsewhere"),
      .init("newsd feeds export | ssh host newsd feeds import -", "copy them to another machine"),
    ]
  ) { _, context in
    try context.output.write(try await context.services.makeSubscriptionTransfer().exportOPML())
    return .done
  }

  /// Runs a change and tells of it on standard error.
  static func change(
    _ invocation: Invocation,
    _ context: CommandContext,
    _ body: (SubscriptionsInteractor, @escaping Emit<SubscriptionsViewModel>) async throws -> Void
  ) async throws -> ExitStatus {
    var presentation = try context.presentation(invocation)
    presentation.output = context.isQuiet ? NowhereWriter() : presentation.messages
    let configurator = Configurator(services: context.services, presentation: presentation)
    return ExitStatus(screen: try await configurator.runSubscriptions(body))
  }

  private static func say(
    _ outcome: SubscriptionOutcome,
    _ invocation: Invocation,
    _ context: CommandContext
  ) async throws -> ExitStatus {
    let presenter = SubscriptionsPresenter(showsLines: true, times: context.terminal(invocation).times)
    return try await change(invocation, context) { _, emit in try emit(.ready(presenter.present(outcome))) }
  }

  static var workingDirectory: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }
}
