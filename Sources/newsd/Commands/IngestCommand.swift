import Modules

extension CommandTable {
  static let ingestCommand = CommandSpec(
    "ingest",
    "store items from standard input, so that a script can be a feed",
    details: """
      Reads JSON Lines with the names of JSON Feed or of 'newsd list --format jsonl', sfeed's table, or one feed document
      (RSS, Atom, JSON Feed). Lines are taken as they come, the last being the newest. Rules apply; an item that is there
      already (by id, else address, else text) is brought up to date. Lines that cannot be read are named and cost
      nothing but themselves: the others are stored, and the exit status is 65.
      """,
    options: [
      OptionSpec(
        "feed",
        value: "NAME",
        completion: .feeds,
        "the feed they belong to, by id, URL or whole title; made when new"
      )
    ],
    examples: [
      .init("backup-report | newsd ingest --feed Backups", "a script's JSON lines as a feed"),
      .init(
        "newsd list --starred --format jsonl | newsd ingest --feed Kept",
        "copies of items in a feed of their own"
      ),
      .init("newsd ingest --feed LWN < ~/.sfeed/feeds/lwn", "items that sfeed has kept"),
    ],
    route: { invocation, _ in
      guard let name = invocation.value("feed"), !name.isEmpty else {
        throw UsageError("ingest needs --feed NAME", command: "ingest")
      }
      return .ingest(feed: name)
    }
  )
}
