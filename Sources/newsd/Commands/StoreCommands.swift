import DIContainer
import Modules
import NewsCore
import NewsFormats
import NewsToolbox

extension CommandTable {
  static let pruneCommand = CommandSpec(
    "prune",
    "remove items beyond the retention limits",
    details: """
      What goes is said by a feed's own settings (keep-days, keep-items), else by retention in the configuration for
      its folder or for all; nothing goes unless a bound is set. 'newsd run' prunes once an hour. Starred and unread
      items stay unless told otherwise. Removed items do not come back.
      """,
    options: [
      OptionSpec("dry-run", "print what would be removed, change nothing"),
      OptionSpec("days", value: "N", "items older than N days, instead of the configured bound"),
      OptionSpec(
        "items",
        value: "N",
        "all but the newest N items of each feed, instead of the configured bound"
      ),
    ] + OptionGroup.records(FieldNames.pruned),
    needsStore: true,
    examples: [
      .init("newsd prune --dry-run", "list what would be removed"),
      .init("newsd prune --days 365", "nothing older than a year, but what is starred or unread"),
    ],
    route: { invocation, context in
      var rules = context.settings.retention.rules
      rules.general.days = try invocation.integer("days", in: 1...100_000) ?? rules.general.days
      rules.general.items = try invocation.integer("items", in: 1...100_000_000) ?? rules.general.items
      return .prune(PruneRoute(rules, isDryRun: invocation.has("dry-run")))
    }
  )

  static let checkCommand = CommandSpec(
    "check",
    "verify the store; with --repair rebuild what can be rebuilt",
    details: """
      Checks the file's integrity, references, totals, the content of items, the index against the items, and that nothing
      foreign is in the schema. --repair says how many items there were and are, and ends with 65 when something of a
      damaged file is lost; 'newsd restore FILE' puts a backup in its place.
      """,
    options: [
      OptionSpec("repair", "rebuild what can be rebuilt; a damaged file is kept beside the new one")
    ] + OptionGroup.records(FieldNames.problems),
    needsStore: true,
    examples: [
      .init("newsd check", "is all well?"),
      .init("newsd check --repair", "repair what can be repaired"),
    ],
    route: { invocation, context in
      .check(CheckRoute(store: context.settings.storeName, repairs: invocation.has("repair")))
    }
  )

  static let backupCommand = CommandSpec(
    "backup",
    "write a consistent copy of the store, while others read and write it",
    operands: [OperandSpec("FILE", completion: .file)],
    needsStore: true,
    examples: [
      .init("newsd backup news-$(date +%F).db", "a copy of today"),
      .init("newsd --db news-2026-11-20.db list", "read one"),
    ],
    route: { invocation, _ in
      let target = invocation.operands[0]
      guard !StoreFile.exists(target) else {
        throw UserMessage(
          code: .cannotCreate,
          text: "\(target) exists already; name a new file for the backup"
        )
      }
      return .backup(path: target)
    }
  )

  static let restoreCommand = CommandSpec(
    "restore",
    "put a backup in the place of the store",
    details: """
      Verifies FILE first, then replaces everything in the store by it. The store may be missing or damaged, and a running
      newsd goes on with what was restored. Never copy a backup over a store with 'cp': a log that a killed newsd has left
      does not belong to the copy. Exit status 74 when FILE is not a sound store; the store is not changed then.
      """,
    operands: [OperandSpec("FILE", completion: .file)],
    examples: [
      .init("newsd restore news-2026-11-20.db", "back to that day"),
      .init("newsd --db new.db restore news-2026-11-20.db", "make a new store of a backup"),
    ],
    route: { invocation, context in
      .restore(RestoreRoute(store: context.settings.storeName, backup: invocation.operands[0]))
    }
  )

  static let compactCommand = CommandSpec(
    "compact",
    "give unused space back to the file system",
    details: """
      Writes the store anew without the pages that 'prune' and edits have left empty. Others may read meanwhile; a running
      newsd waits with storing. Needs room for a second store in the directory of the store. 'newsd status' shows how much is
      unused.
      """,
    needsStore: true,
    examples: [
      .init("newsd compact", "after many items were removed"),
      .init("newsd prune --days 365 && newsd compact", "keep a year, and give the space back"),
    ],
    route: { _, context in .compact(store: context.settings.storeName) }
  )

  static let copyCommand = CommandSpec(
    "copy",
    "copy everything that a store holds into another, empty one",
    details: """
      FROM and TO are paths of stores in files or addresses of stores on PostgreSQL (postgresql://USER@HOST/DATABASE). Ids,
      states, versions, rules, searches and the numbers of the change log are kept: a copy and its origin have the same
      export. TO is created; it must hold no feeds and no items. Stop 'newsd run' on FROM first: what it stores
      meanwhile may be left out. A temporary file of the size of an export is needed; TMPDIR says where.
      """,
    operands: [OperandSpec("FROM", completion: .file), OperandSpec("TO", completion: .file)],
    examples: [
      .init(
        "newsd copy ~/.local/share/newsd/newsd.db postgresql://news@db.example/news",
        "move to PostgreSQL"
      ),
      .init("newsd copy postgresql://news@db.example/news news.db", "and back"),
    ],
    route: { invocation, _ in
      .copy(StoreCopyRoute(from: invocation.operands[0], to: invocation.operands[1]))
    }
  )

  static let exportCommand = CommandSpec(
    "export",
    "print everything the store holds as JSON Lines",
    details: """
      Feeds, settings, items with versions and states, rules, searches, tombstones. Imported into an empty store and
      exported again it is the same, byte for byte ('import --trust' where programs are subscribed to, or they are kept
      but not run). Subscriptions alone: 'newsd feeds export'.
      """,
    options: [OptionSpec("all", "everything; there is no other choice yet, and it says what you get")],
    needsStore: true,
    examples: [
      .init("newsd export --all | zstd > news.jsonl.zst", "keep it"),
      .init("newsd export --all | newsd --db new.db import -", "copy a store"),
    ],
    route: { invocation, _ in
      guard invocation.has("all") else {
        throw UsageError(
          "export needs --all; subscriptions alone are 'newsd feeds export'",
          command: "export"
        )
      }
      return .export
    }
  )

  static let importCommand = CommandSpec(
    "import",
    "import an export of newsd, newsboat's cache.db or a file of sfeed",
    details: """
      A newsd export goes into an empty store only; a change log ('newsd changes --after 0 --format jsonl') brings its
      feeds and items into any. Items that are there keep their texts and only take over
      marks that were set; deletions are left out. A newsboat cache brings feeds, items, read states and flags. A file of sfeed brings the
      items of the feed that it is named after. Lists of subscriptions: 'newsd feeds import'.
      """,
    options: [
      OptionSpec(
        "feed",
        value: "NAME",
        completion: .feeds,
        "the feed that the items of an sfeed file belong to"
      ),
      OptionSpec(
        "trust",
        "keep all that a newsd export of your own holds: credentials, proxies, HTML as it is, programs (exec:) to run"
      ),
    ],
    operands: [OperandSpec("FILE|-", completion: .file)],
    examples: [
      .init("newsd --db new.db import news.jsonl", "restore an export"),
      .init("newsd import ~/.newsboat/cache.db", "move over from newsboat"),
      .init("newsd import ~/.sfeed/feeds/lwn --feed LWN", "items that sfeed has kept"),
    ],
    route: { invocation, _ in
      .storeImport(
        StoreImportRoute(
          path: invocation.operands[0],
          feed: invocation.value("feed"),
          isTrusted: invocation.has("trust")
        )
      )
    }
  )
}
