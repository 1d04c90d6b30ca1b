import DIContainer

extension CommandTable {
  static let ingestCommand = CommandSpec(
    "ingest",
    "store items from standard input, so that a script can be a feed",
    details: """
      Reads JSON Lines with the field names of JSON Feed or of 'newsd list --format jsonl', a file of sfeed, or
      one feed document (RSS, Atom, JSON Feed). newsd stores each line as soon as it arrives; of lines without a
      date, the last counts as the newest item. Rules apply to new items. If the feed already has an item (the
      same id, else URL, else text) and the item has changed, newsd updates it. newsd reports lines that it
      cannot read, stores the others, and ends with exit status 65.
      """,
    options: [
      OptionSpec(
        "feed",
        value: "NAME",
        completion: .feeds,
        "store the items in this feed: an id, URL or whole title; newsd creates a missing feed"
      )
    ],
    examples: [
      .init("backup-report | newsd ingest --feed Backups", "store the JSON lines of a script in a feed"),
      .init(
        "newsd list --starred --format jsonl | newsd ingest --feed Kept",
        "copy items into another feed"
      ),
      .init("newsd ingest --feed LWN < ~/.sfeed/feeds/lwn", "store the items of an sfeed file"),
    ],
    task: { invocation, _ in
      guard let name = invocation.value("feed"), !name.isEmpty else {
        throw UsageError("ingest needs --feed NAME", command: "ingest")
      }
      return .run { try await $0.ingest(into: name) }
    }
  )
}
