import DIContainer
import Glibc
import Modules
import NewsCore
import NewsFormats

extension CommandTable {
  static let storeCommands = [
    Entry("import") { importCommand },
    Entry("export") { exportCommand },
    Entry("backup") { backupCommand },
    Entry("restore") { restoreCommand },
    Entry("copy") { copyCommand },
    Entry("compact") { compactCommand },
    Entry("prune") { pruneCommand },
    Entry("check") { checkCommand },
  ]

  static let pruneCommand = CommandSpec(
    "prune",
    "remove items beyond the retention limits",
    details: """
      The limits are a feed's own settings (keep-days, keep-items), or else those under 'retention' in the
      configuration, for its folder or for all feeds. Without a limit, newsd removes nothing. 'newsd run'
      prunes once an hour. Starred and unread items are kept unless the configuration says otherwise. As long
      as the feed is subscribed, its polls do not store a removed item again.
      """,
    options: [
      OptionSpec("dry-run", "print what would be removed, change nothing"),
      OptionSpec("days", value: "N", "remove items older than N days, instead of the configured limit"),
      OptionSpec(
        "items",
        value: "N",
        "keep the newest N items of each feed, instead of the configured limit"
      ),
    ] + OptionGroup.records(Tables.pruned.names),
    needsStore: true,
    changesStore: true,
    accounts: .all(when: true),
    examples: [
      .init("newsd prune --dry-run", "list what would be removed"),
      .init("newsd prune --days 365", "remove items older than a year, except starred and unread ones"),
    ],
    task: { invocation, context in
      var rules = context.settings.retention.rules
      rules.general.days = try invocation.integer("days", in: 1...100_000) ?? rules.general.days
      rules.general.items = try invocation.integer("items", in: 1...100_000_000) ?? rules.general.items
      let applied = rules
      return .run { try await $0.prune(applied, isDryRun: invocation.has("dry-run")) }
    }
  )

  static let checkCommand = CommandSpec(
    "check",
    "verify the store; with --repair rebuild what can be rebuilt",
    details: """
      Checks the integrity of the file, references, totals and the content of items. Also checks that the
      search index matches the items, and that the schema contains nothing that newsd did not create. --repair
      prints the number of items before and after. If data of a damaged file is lost, the exit status is 65;
      'newsd restore FILE' then replaces the store by a backup. On PostgreSQL, newsd checks only references,
      totals and the index, and cannot repair. After a restore with other tools than newsd, such as pg_restore or cp,
      use --after-restore before the daemons start: it skips the numbers of changes, items and feeds that were in use.
      """,
    options: [
      OptionSpec("repair", "rebuild what can be rebuilt; a damaged file is kept beside the new one"),
      OptionSpec(
        "after-restore",
        "after pg_restore or cp: use no number of the replaced content again"
      ),
    ] + OptionGroup.records(Tables.problems.names),
    needsStore: true,
    examples: [
      .init("newsd check", "find out whether the store is sound"),
      .init("newsd check --repair", "check the store, and rebuild what can be rebuilt"),
      .init("newsd check --after-restore", "check a store on PostgreSQL that pg_restore has restored"),
    ],
    task: { invocation, context in
      let request = CheckRequest(
        store: context.settings.storeName,
        repairs: invocation.has("repair"),
        isAfterRestore: invocation.has("after-restore")
      )
      return .run { try await $0.check(request) }
    }
  )

  /// Returns the file that `backup` or `restore` names. An address may contain a password, and is not quoted.
  private static func file(_ invocation: Invocation) throws -> String {
    let file = invocation.operands[0]
    try refuseStream(file, invocation)
    guard Settings.isStoreAddress(file) else { return file }
    let command = invocation.path[0]
    throw UsageError(
      "\(command) takes a file; 'newsd copy FROM TO' copies stores on servers",
      command: command
    )
  }

  /// Refuses '-', which means a stream to other commands: a store needs a file.
  private static func refuseStream(_ file: String, _ invocation: Invocation) throws {
    guard file == "-" else { return }
    let command = invocation.path[0]
    throw UsageError(
      "\(command) takes files, not streams; 'newsd export --all' writes a stream, and 'newsd import -' reads it",
      command: command
    )
  }

  static let backupCommand = CommandSpec(
    "backup",
    "write a consistent copy of the store, while others read and write it",
    options: [
      OptionSpec(
        "media",
        "also copy the icons of feeds, to FILE.media; without it, 'newsd run' fetches them again"
      ),
      OptionSpec(
        "keep",
        value: "N",
        "write newsd-TIME.db into the folder FILE, verify it, and remove older backups there beyond N"
      ),
    ],
    operands: [OperandSpec("FILE", completion: .file)],
    needsStore: true,
    accounts: .all(when: true),
    signals: [SIGTERM, SIGINT],
    examples: [
      .init("newsd backup news-$(date +%F).db", "make a backup with today's date"),
      .init("newsd backup --keep 7 /var/backups/newsd", "make a backup and keep the newest seven"),
      .init("newsd --db news-2026-11-20.db list", "list the items of a backup"),
    ],
    task: { invocation, context in
      let target = try file(invocation)
      if let text = invocation.value("keep") {
        guard let count = Int(text), (1...10_000).contains(count), !invocation.has("media") else {
          throw UsageError("--keep takes a number from 1 to 10000, without --media", command: "backup")
        }
        return .run { configurator in
          try await context.removingUnfinished { try await configurator.backupKeep(in: target, count: count) }
        }
      }
      guard context.isForAllAccounts || !StoreFile.exists(target) else {
        throw UserMessage(
          code: .cannotCreate,
          text: "\(target) exists already; name a new file for the backup"
        )
      }
      let withMedia = invocation.has("media")
      return .run { configurator in
        try await context.removingUnfinished {
          try await configurator.backup(to: target, withMedia: withMedia)
        }
      }
    }
  )

  static let restoreCommand = CommandSpec(
    "restore",
    "replace the store by a backup",
    details: """
      Verifies FILE, then replaces the content of the store by it. The store may be missing or damaged. A
      running newsd continues with the restored store. Never copy a backup over a store with 'cp': a
      write-ahead log that a killed newsd left behind does not belong to the copy. If FILE is not a sound
      store, the exit status is 74, and the store is not changed. For a store on PostgreSQL, use pg_restore,
      or 'newsd copy FILE URI' to copy FILE into an empty store; for an account on PostgreSQL, 'newsd accounts
      remove NAME' and then 'newsd accounts add NAME --from FILE'.
      """,
    operands: [OperandSpec("FILE", completion: .file)],
    examples: [
      .init("newsd restore news-2026-11-20.db", "replace the store by the backup of that day"),
      .init("newsd --db new.db restore news-2026-11-20.db", "make a new store from a backup"),
    ],
    task: { invocation, _ in
      let backup = try file(invocation)
      return .run { try await $0.restore(from: backup) }
    }
  )

  static let compactCommand = CommandSpec(
    "compact",
    "give unused space back to the file system",
    details: """
      Rewrites the store without the empty pages that 'prune' and edits leave behind. Meanwhile other
      processes can read the store, and a running newsd waits before it stores items. The directory of the
      store needs free space for a second copy. 'newsd status' shows the size of the unused space. On
      PostgreSQL, use VACUUM FULL instead.
      """,
    needsStore: true,
    changesStore: true,
    examples: [
      .init("newsd compact", "shrink the store after many items were removed"),
      .init(
        "newsd prune --days 365 && newsd compact",
        "remove items older than a year, except starred and unread ones, and give their space back"
      ),
    ],
    task: { _, _ in .run { try await $0.compact() } }
  )

  static let copyCommand = CommandSpec(
    "copy",
    "copy a store into another, empty one",
    details: """
      FROM and TO are paths of stores in files or addresses of stores on PostgreSQL
      (postgresql://USER@HOST/DATABASE). Sessions of browsers are not copied: log in again. The copy keeps
      ids, states, versions, rules, searches and the numbers of the change log, so that both stores have the
      same export. newsd creates TO if it does not exist; TO must have no feeds and no items. Stop 'newsd run'
      on FROM first: the copy may lack items that it stores meanwhile. newsd writes a temporary file of the
      size of an export, in $TMPDIR.
      """,
    operands: [OperandSpec("FROM", completion: .file), OperandSpec("TO", completion: .file)],
    accounts: .none,
    examples: [
      .init(
        "newsd copy ~/.local/share/newsd/newsd.db postgresql://news@db.example/news",
        "move to PostgreSQL"
      ),
      .init("newsd copy postgresql://news@db.example/news news.db", "copy the store back into a file"),
    ],
    task: { invocation, _ in
      for file in invocation.operands { try refuseStream(file, invocation) }
      return .run { try await $0.copy(from: invocation.operands[0], to: invocation.operands[1]) }
    }
  )

  static let exportCommand = CommandSpec(
    "export",
    "print the content of the store as JSON Lines",
    details: """
      Prints feeds, settings, items with versions and states, rules, searches, hooks, and records of removed
      items, but no passwords for the web server. If the store has no hooks, an import with --trust into an
      empty store followed by another export gives the same bytes. If some feeds are programs (exec:), use
      'import --trust': without it, newsd keeps these feeds but does not run the programs. For the
      subscriptions alone, use 'newsd feeds export'.

      With --format greader-json, newsd prints all items, the oldest first, in the form of Google Reader's API,
      with states, labels and the URLs of their feeds: FreshRSS imports such a file (Subscription management,
      Import / export), and so does 'newsd import'. 'newsd list' has this format for a selection. Import the
      list of 'newsd feeds export' first, which has the folders.
      """,
    options: [
      OptionSpec("all", "export the whole store as newsd's own JSON Lines"),
      OptionSpec(
        "format",
        value: "FORMAT",
        completion: .words([OutputFormat.greaderJSON.rawValue]),
        "greader-json: all items with their states, for other readers"
      ),
    ],
    needsStore: true,
    examples: [
      .init("newsd export --all | zstd > news.jsonl.zst", "write a compressed export"),
      .init(
        "newsd export --all | newsd --db new.db import --trust -",
        "move the content to a new store; to copy a store, use 'newsd copy'"
      ),
      .init("newsd export --format greader-json > newsd.json", "write a file for FreshRSS"),
    ],
    task: { invocation, context in
      if invocation.has("format") {
        guard context.format(invocation) == .greaderJSON else {
          throw UsageError(
            "export --format takes greader-json; 'newsd list' has the other formats",
            command: "export"
          )
        }
        guard !invocation.has("all") else {
          throw UsageError("--all is for newsd's own format, without --format", command: "export")
        }
        return .open(.list(try context.reading(invocation).list(order: .oldest)))
      }
      guard invocation.has("all") else {
        throw UsageError(
          "export needs --all; subscriptions alone are 'newsd feeds export'",
          command: "export"
        )
      }
      return .run { try await $0.export() }
    }
  )

  static let importCommand = CommandSpec(
    "import",
    "import an export of newsd or the file of another reader, or from another reader's server",
    details: """
      A newsd export can be imported into an empty store only. A change log ('newsd changes --after 0 --format
      jsonl') can be imported into any store: newsd adds its feeds and items. If the store already has an item,
      the item keeps its text and gets the marks that are set in the log. Deletions are ignored. For lists of
      subscriptions, use 'newsd feeds import'.

      Files of other readers, which newsd recognizes by their content: the databases of newsboat (cache.db),
      FreshRSS (its export of a user as SQLite), yarr (storage.db), NetNewsWire (DB.sqlite3) and Liferea
      (liferea.db); FreshRSS's ZIP archive or JSON; JSON of Inoreader, Google Takeout and Feedly's API; the XML
      of Tiny Tiny RSS's plugin import_export; a file of sfeed, with the items of the feed that it is named
      after. newsd takes feeds, folders, items, read states, stars and labels, as far as the file has them. If
      the store already has an item, newsd only adds marks; an import can be repeated.

      With --from, newsd reads the server of another reader by the protocol that --api names: subscriptions,
      folders, and all items with dates, read states, stars and labels (fever has no labels). The publishers
      are not asked. When newsd polls a feed for the first time, it recognizes the imported items by their
      links, or by title and date. If the store already has an item, newsd only adds marks. If the import is
      interrupted, the same command continues it. The password is that of --password-file, else of the variable
      NEWSD_IMPORT_PASSWORD, else newsd asks for it.
      """,
    options: [
      OptionSpec(
        "feed",
        value: "NAME",
        completion: .feeds,
        "store the items of an sfeed file in this feed"
      ),
      OptionSpec(
        "trust",
        "also import credentials, headers, user agents, certificates, proxies, programs (exec:), rules, hooks with "
          + "their pending deliveries, and higher limits; do not sanitize HTML and URLs; only for your own exports"
      ),
      OptionSpec("from", value: "URL", "import from the server at URL instead of a file"),
      OptionSpec(
        "api",
        value: "API",
        completion: .words(ServerAPI.allCases.map(\.rawValue)),
        "the server's protocol: greader, miniflux or fever"
      ),
      OptionSpec("user", value: "NAME", "the account on the server; without it, miniflux takes an API token"),
      OptionSpec(
        "password-file",
        value: "FILE",
        completion: .file,
        "read the password for the server from the first line of FILE"
      ),
    ],
    operands: [OperandSpec("FILE|-", .optional, completion: .file)],
    changesStore: true,
    isHeavy: .with("from"),
    examples: [
      .init("newsd --db new.db import news.jsonl", "import an export into a new store"),
      .init("newsd import ~/.newsboat/cache.db", "import the feeds, items and marks of newsboat"),
      .init("newsd import ~/.sfeed/feeds/lwn --feed LWN", "import the items that sfeed has kept"),
      .init(
        "newsd import --from https://rss.example.org/api/greader.php --api greader --user anna",
        "move from FreshRSS, with its API password"
      ),
    ],
    task: { invocation, context in
      if let address = invocation.value("from") { return try importFrom(address, invocation, context) }
      guard let file = invocation.operands.first else {
        throw UsageError("import needs a file, or --from URL", command: "import")
      }
      for option in ["api", "user", "password-file"] where invocation.has(option) {
        throw UsageError("--\(option) needs --from URL", command: "import")
      }
      return .run {
        try await $0.import(file, feed: invocation.value("feed"), isTrusted: invocation.has("trust"))
      }
    }
  )
}
