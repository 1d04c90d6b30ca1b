import NewsFormats

/// Options that several commands share.
enum OptionGroup {
  /// Options that select items.
  static let filters = [
    OptionSpec(
      "feed",
      value: "F",
      completion: .feedsAndSearches,
      repeats: true,
      "select items of this feed: an id, URL or title, or a saved search (saved:NAME if a title fits too); may repeat"
    ),
    folder,
    OptionSpec(
      "label",
      value: "L",
      completion: .labels,
      repeats: true,
      "select items with this label (see 'newsd help label'); may repeat"
    ),
    OptionSpec("unread", "select unread items"),
    OptionSpec("starred", "select starred items"),
    OptionSpec(
      "since",
      value: "T",
      "select items whose sort time is T or later (published, or usually stored if undated or dated in the future). "
        + "T is an age (90s 30m 12h 3d 2w 1y), a date (2026, 2026-11, 2026-11-20, '2026-11-20 08:15', "
        + "RFC 3339; in UTC unless it has an offset), or now, today, yesterday"
    ),
    OptionSpec(
      "until",
      value: "T",
      "select items whose sort time is before T (see --since)"
    ),
    OptionSpec("stored-since", value: "T", "select items stored at T or later, whenever they were published"),
  ]

  /// The filters of a command that reads unread items only.
  static let unreadFilters = filters.filter { $0.long != "unread" }

  static let folder = OptionSpec(
    "folder",
    value: "F",
    completion: .folders,
    repeats: true,
    "select feeds in this folder and its subfolders; may repeat"
  )

  /// Options for paging and order.
  static let paging = [
    OptionSpec(
      "limit",
      short: "n",
      value: "N",
      "print at most N items, 0 for all (default for the text format: 20)"
    ),
    OptionSpec("page", value: "P", "print the Pth page"),
    OptionSpec(
      "before",
      value: "ID",
      "print only the items that follow item ID, the last one seen, in the list; unlike --page, skips and repeats no item "
        + "when new items arrive"
    ),
    OptionSpec(
      "sort",
      value: "ORDER",
      completion: .words(["newest", "oldest", "relevance"]),
      "newest (default), oldest or relevance"
    ),
    OptionSpec("cluster", "print one line for items that tell the same story"),
  ]

  /// Options for the output of items.
  static let items =
    output(OutputFormat.forItems, Tables.items.names) + [
      OptionSpec(
        "output",
        value: "DIR",
        completion: .directory,
        "deliver to this directory (maildir)"
      )
    ]
  static let feeds = output(OutputFormat.forFeeds, Tables.feeds.names)

  /// Options for the output of records with these columns.
  static func records(_ fields: [String]) -> [OptionSpec] { output(OutputFormat.forRecords, fields) }

  static let status = output(OutputFormat.forStatus, Tables.statusNames)

  private static func output(_ formats: [OutputFormat], _ fields: [String]) -> [OptionSpec] {
    let names = formats.map(\.rawValue)
    return [
      OptionSpec("format", value: "FORMAT", completion: .words(names), names.joined(separator: "|")),
      OptionSpec(
        "template",
        value: "TEXT",
        "print each record in this form, such as '{title|truncate:60}\\t{url}\\n'"
      ),
      OptionSpec("template-file", value: "FILE", completion: .file, "read the template from a file"),
      OptionSpec("fields", value: "A,B,…", completion: .fields(fields), "print the columns with these names"),
      OptionSpec("header", "print a first line with the column names (default for csv)"),
      OptionSpec("no-header", "print no line with the column names (default for tsv)"),
      OptionSpec("csv-safe", "put ' before text that a spreadsheet would run as a formula (csv)"),
      OptionSpec("utc", "print times in UTC"),
      OptionSpec("local", "print times in the local zone (default for text and templates)"),
    ]
  }

  static let open = OptionSpec(
    "open",
    value: "N|id:ID",
    "show the Nth item of the list, or the item with this ID, in full"
  )
  static let cursor = OptionSpec(
    "cursor",
    value: "FILE",
    completion: .file,
    "print only items stored since the last run with this FILE, in which newsd keeps the position"
  )
  static let markRead = OptionSpec("mark-read", "mark the items read")
}
