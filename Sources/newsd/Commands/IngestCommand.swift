import DIContainer
import Glibc
import Modules

extension CommandTable {
  static let documentCommands = [
    Entry("parse") { parseCommand },
    Entry("ingest") { ingestCommand },
  ]

  static let parseCommand = CommandSpec(
    "parse",
    "parse one document and print it as JSON Feed 1.1",
    details: """
      Uses no store. Fields that JSON Feed lacks are under _newsd. With --article the document is a web page,
      and its article is printed as one JSON object: title, byline, published, html, text, excerpt_found.
      """,
    options: [
      OptionSpec("base-url", value: "URL", "resolve relative links against URL"),
      OptionSpec("url", value: "URL", "the same as --base-url"),
      OptionSpec("article", "print the article of a web page; exit status 65 if it has none"),
      OptionSpec(
        "excerpt",
        value: "TEXT",
        "with --article: print whether the article contains TEXT, such as a feed's excerpt"
      ),
      OptionSpec("content-type", value: "CT", "parse the document as a response with this Content-Type"),
      OptionSpec("check", "print what the publisher should fix, one finding per line, with line and column"),
    ],
    modes: [
      .init("article", and: ["base-url", "url", "content-type"], dependent: ["excerpt"], takesOperands: true)
    ],
    operands: [OperandSpec("FILE|-", completion: .file)],
    accounts: .none,
    examples: [
      .init("newsd parse feed.xml | jq .items[0].title", "print the title of the first item"),
      .init(
        "curl -s https://example.org/feed | newsd parse --base-url https://example.org/ -",
        "parse a document from a pipe"
      ),
      .init(
        "curl -s https://example.org/story | newsd parse --article --url https://example.org/story - | jq -r .text",
        "print the text of a page's article"
      ),
    ],
    task: { invocation, _ in
      if invocation.has("base-url"), invocation.has("url") {
        throw UsageError("--url and --base-url are the same option", command: "parse")
      }
      let base = invocation.value("base-url") ?? invocation.value("url")
      if let base, base.utf8.count > 4096 {
        throw UsageError("--base-url is longer than 4096 bytes", command: "parse")
      }
      let source = DocumentSource(
        path: invocation.operands[0],
        contentType: invocation.value("content-type"),
        baseURL: base
      )
      if invocation.has("article") {
        return .run {
          try await $0.parseArticle(source, excerpt: invocation.value("excerpt"), read: InputFile.read)
        }
      }
      if invocation.has("check") {
        return .run { try await $0.parseCheck(source, read: InputFile.read) }
      }
      return .run {
        // No socket is in use, so let a closed output end newsd by SIGPIPE at once, not after the whole document is
        // parsed.
        signal(SIGPIPE, SIG_DFL)
        return try await $0.parse(source, read: InputFile.read)
      }
    }
  )

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
    changesStore: true,
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
