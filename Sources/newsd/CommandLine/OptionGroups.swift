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
      "only this feed: an id, URL or title, or a saved search; may repeat"
    ),
    folder,
    OptionSpec("unread", "only unread items"),
    OptionSpec("starred", "only starred items"),
    OptionSpec(
      "since",
      value: "T",
      "published at T or later: 90s 30m 12h 3d 2w 1y ago; 2026, 2026-11, 2026-11-20, '2026-11-20 08:15', RFC 3339 "
        + "(UTC without an offset); now, today, yesterday"
    ),
    OptionSpec("until", value: "T", "published before T; the same forms"),
    OptionSpec("stored-since", value: "T", "stored at T or later, whenever it was published; the same forms"),
  ]

  /// The filters of a command that reads unread items only.
  static let unreadFilters = filters.filter { $0.long != "unread" }

  static let folder = OptionSpec(
    "folder",
    value: "F",
    completion: .folders,
    repeats: true,
    "only feeds in this folder and below it; may repeat"
  )

  /// Options for paging and order.
  static let paging = [
    OptionSpec("limit", short: "n", value: "N", "at most N items, 0 for all (text: 20 a page)"),
    OptionSpec("page", value: "P", "the Pth page"),
    OptionSpec("before", value: "ID", "continue the list after item ID; unlike --page it never skips items"),
    OptionSpec(
      "sort",
      value: "ORDER",
      completion: .words(["newest", "oldest", "relevance"]),
      "newest (default), oldest or relevance"
    ),
    OptionSpec("cluster", "one line for items that tell the same story"),
  ]

  /// Options for the output of items.
  static let items =
    output(OutputFormat.forItems, FieldNames.items) + [
      OptionSpec(
        "output",
        value: "DIR",
        completion: .directory,
        "the directory that the maildir format delivers to"
      )
    ]
  static let feeds = output(OutputFormat.forFeeds, FieldNames.feeds)

  /// Options for the output of records with these columns.
  static func records(_ fields: [String]) -> [OptionSpec] { output(OutputFormat.forRecords, fields) }

  static let status = output(OutputFormat.forStatus, FieldNames.status)

  private static func output(_ formats: [OutputFormat], _ fields: [String]) -> [OptionSpec] {
    let names = formats.map(\.rawValue)
    return [
      OptionSpec("format", value: "FORMAT", completion: .words(names), names.joined(separator: "|")),
      OptionSpec("template", value: "TEXT", "a line per record, such as '{title|truncate:60}\\t{url}\\n'"),
      OptionSpec("template-file", value: "FILE", completion: .file, "a template from a file"),
      OptionSpec("fields", value: "A,B,…", completion: .fields(fields), "the columns, by their names"),
      OptionSpec("header", "a line of column names first (tsv)"),
      OptionSpec("no-header", "no line of column names (csv)"),
      OptionSpec("csv-safe", "put ' before text that a spreadsheet would run as a formula (csv)"),
      OptionSpec("utc", "times in UTC"),
      OptionSpec("local", "times in the local zone (default for text)"),
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
    "only items stored since the last run with this FILE, in which newsd keeps the position"
  )
  static let markRead = OptionSpec("mark-read", "mark the items read")
}
