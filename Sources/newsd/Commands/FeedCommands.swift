import DIContainer
import Glibc
import Modules
import NewsCore
import NewsFormats

extension CommandTable {
  static let feedCommands = [Entry("feeds") { feedsCommand }]

  static let feedsCommand = CommandSpec(
    "feeds",
    "manage subscriptions",
    details: """
      FEED is the id, URL or title of a feed, or, except for 'remove', a part of its title that no other title
      contains.
      """,
    defaultSubcommand: "list",
    subcommands: [
      feedsList, feedsFolders, feedsAdd, feedsRemove, feedsRename, feedsMove, feedsImport, feedsExport,
    ] + feedUpkeepCommands
  )

  static let feedOperand = OperandSpec("FEED", completion: .feeds)

  private static let feedsList = CommandSpec(
    "list",
    "list the feeds with counts and health",
    options: [
      OptionSpec("unread", "list only feeds with unread items"),
      OptionSpec(
        "failing",
        "list only feeds whose last poll failed, that are gone, or that wait for the network"
      ),
      OptionGroup.folder,
      OptionSpec(
        "sort",
        value: "ORDER",
        completion: .words(FeedSelection.Order.allCases.map(\.rawValue)),
        "position (your own order, the default), title, unread (most first), last (latest fetch first) or failures"
      ),
    ] + OptionGroup.feeds,
    needsStore: true,
    examples: [
      .init("newsd feeds", "list all subscriptions"),
      .init(
        "newsd feeds list --unread --folder News --sort unread",
        "list the feeds of a folder with the most unread items first"
      ),
      .init("newsd feeds list --failing --format ids", "print the ids of the feeds that fail"),
    ],
    task: { invocation, _ in
      let selection = FeedSelection(
        folders: invocation.values("folder"),
        hasUnread: invocation.has("unread"),
        isFailing: invocation.has("failing"),
        order: try invocation.choice("sort", of: FeedSelection.Order.self) ?? .position
      )
      return .open(.subscriptions(.list(selection)))
    }
  )

  private static let feedsFolders = CommandSpec(
    "folders",
    "list the folders, each with its numbers of feeds, unread items and items, subfolders included",
    options: OptionGroup.records(Tables.folders.names),
    needsStore: true,
    examples: [
      .init("newsd feeds folders", "list the folders with their numbers of feeds, unread items and items"),
      .init(
        "newsd feeds folders --format tsv --fields folder,unread",
        "print the unread items of each folder for a status bar"
      ),
    ],
    task: { _, _ in .open(.feedsFolders) }
  )

  private static let feedsAdd = CommandSpec(
    "add",
    "subscribe to a feed, or to the feed of a page",
    details: """
      If URL is a page that links to one feed, newsd subscribes to that feed. If the page links to several,
      newsd lists them with numbers, and --pick selects one. The items that the feed has now are stored at
      once.
      """,
    options: [
      OptionSpec("title", value: "TITLE", "give the feed your own title"),
      OptionSpec("folder", value: "F", completion: .folders, "put the feed into this folder"),
      OptionSpec("pick", value: "N", "subscribe to the Nth feed that the page links to"),
      OptionSpec("force", "subscribe even if the feed cannot be reached"),
      OptionSpec(
        "set",
        value: "KEY=VALUE",
        repeats: true,
        "change a setting of the feed; 'newsd help feeds set' lists the settings"
      ),
    ],
    operands: [OperandSpec("URL")],
    changesStore: true,
    isHeavy: true,
    examples: [
      .init("newsd feeds add https://lwn.net/headlines/rss", "subscribe to a feed"),
      .init("newsd feeds add example.org --pick 2", "subscribe to the second feed that a page links to"),
    ],
    task: { invocation, _ in
      let settings = try FeedSettingsEditor.applying(
        try FeedSettingKey.changes(invocation.values("set")),
        to: FeedSettings()
      )
      let options = FeedAdditionOptions(
        title: invocation.value("title"),
        folder: invocation.value("folder"),
        settings: settings,
        pick: try invocation.integer("pick", in: 1...1000),
        isForced: invocation.has("force"),
        directory: workingDirectory
      )
      return .open(.feedsAdd(FeedsAddRoute(invocation.operands[0], options)))
    }
  )

  private static let feedsRemove = CommandSpec(
    "remove",
    "unsubscribe from feeds and delete their items",
    details:
      "FEED is an id, a URL or a whole title here. If one FEED is unknown or ambiguous, newsd removes none.",
    operands: [OperandSpec("FEED", .oneOrMore, completion: .feeds)],
    needsStore: true,
    changesStore: true,
    examples: [
      .init("newsd feeds remove 7 12", "remove two feeds, named by id"),
      .init("newsd feeds remove https://example.org/feed", "remove a feed, named by URL"),
    ],
    task: { invocation, _ in .open(.subscriptions(.remove(feeds: invocation.operands))) }
  )

  private static let feedsRename = CommandSpec(
    "rename",
    "give a feed your own title",
    operands: [feedOperand, OperandSpec("TITLE")],
    needsStore: true,
    changesStore: true,
    examples: [
      .init("newsd feeds rename 7 'Kernel news'", "rename a feed, named by id"),
      .init("newsd feeds rename lwn 'Kernel news'", "rename a feed, named by a part of its title"),
    ],
    task: { invocation, _ in
      .open(.subscriptions(.rename(feed: invocation.operands[0], title: invocation.operands[1])))
    }
  )

  private static let feedsMove = CommandSpec(
    "move",
    "move a feed to another place in the list, or into a folder",
    options: [
      OptionSpec("to", value: "N", "move the feed to the Nth place"),
      OptionSpec(
        "folder",
        value: "F",
        completion: .folders,
        "move the feed into this folder; '' means no folder"
      ),
    ],
    operands: [feedOperand],
    needsStore: true,
    changesStore: true,
    examples: [
      .init("newsd feeds move 7 --to 1", "move a feed to the top of the list"),
      .init("newsd feeds move 7 --folder News/Europe", "move a feed into a folder"),
    ],
    task: { invocation, _ in
      let position = try invocation.integer("to", in: 1...Int.max)
      let folder = invocation.value("folder")
      guard position != nil || folder != nil else {
        throw UsageError("feeds move needs --to N or --folder F", command: "feeds")
      }
      return .open(.subscriptions(.move(feed: invocation.operands[0], folder: folder, position: position)))
    }
  )

  private static let feedsImport = CommandSpec(
    "import",
    "subscribe to the feeds of a list: OPML, newsboat's urls file, sfeedrc",
    details:
      "newsd fetches nothing, and skips programs and local files (exec:, file:) and feeds that exist already. "
      + "With --trust, feeds that exist already get settings of the list that they lack.",
    options: [
      OptionSpec("folder", value: "F", completion: .folders, "put feeds without a folder into this folder"),
      OptionSpec(
        "trust",
        "also import settings such as credentials, headers, certificates, proxies and higher limits, and rules for "
          + "feeds that exist already; only for your own lists"
      ),
    ],
    operands: [OperandSpec("FILE|-", completion: .file)],
    changesStore: true,
    examples: [
      .init("newsd feeds import feeds.opml", "subscribe to the feeds of another reader"),
      .init("newsd feeds import ~/.newsboat/urls", "subscribe to the feeds of newsboat"),
    ],
    task: { invocation, _ in
      let path = invocation.operands[0]
      let list = try InputFile.read(path)
      if let problem = ImportKind.listProblem(list, path: path) {
        throw UserMessage(code: .badData, text: problem)
      }
      let request = FeedsImportRequest(
        list,
        folder: invocation.value("folder"),
        isTrusted: invocation.has("trust")
      )
      return .run { try await $0.feedsImport(request) }
    }
  )

  private static let feedsExport = CommandSpec(
    "export",
    "write subscriptions, except feeds that 'newsd ingest' fills, and saved searches as OPML 2.0",
    details: """
      Without --secrets, passwords, headers, client certificates and the locations of credentials are left
      out.
      """,
    options: [
      OptionSpec(
        "secrets",
        "also write passwords, headers, and the locations of client certificates and credentials"
      )
    ],
    needsStore: true,
    examples: [
      .init("newsd feeds export > feeds.opml", "write a list that can be shared"),
      .init(
        "newsd feeds export --secrets | ssh host newsd feeds import --trust -",
        "copy the subscriptions to another machine"
      ),
    ],
    task: { invocation, _ in
      .run { try await $0.feedsExport(includesSecrets: invocation.has("secrets")) }
    }
  )

  static var workingDirectory: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }
}
