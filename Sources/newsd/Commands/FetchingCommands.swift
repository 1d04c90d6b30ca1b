import Glibc
import DIContainer
import Modules

extension CommandTable {
  static let fetchCommand = CommandSpec(
    "fetch",
    "refresh feeds now",
    details: """
      Refreshes all feeds, or the named feeds, even if they are not due. Without names, newsd skips feeds that
      are gone, and feeds whose host has asked newsd to wait (Retry-After).
      """,
    options: [
      OptionSpec("due", "refresh only feeds that are due"),
      OptionSpec(
        "articles",
        "afterwards fetch the articles of new items, for feeds with article=auto or article=always"
      ),
      OptionSpec(
        "record",
        value: "DIR",
        completion: .directory,
        "keep the raw responses in DIR, for a bug report"
      ),
    ],
    operands: [OperandSpec("FEED", .many, completion: .feeds)],
    examples: [
      .init("newsd fetch", "refresh everything"),
      .init("newsd fetch --due -q", "from cron: refresh due feeds, print errors only"),
    ],
    task: { invocation, context in
      if invocation.has("due"), !invocation.operands.isEmpty {
        throw UsageError(
          "--due takes no FEED: named feeds are fetched even if they are not due",
          command: "fetch"
        )
      }
      let route = RefreshRoute(
        feeds: invocation.operands,
        onlyDue: invocation.has("due"),
        record: invocation.value("record"),
        fetchesArticles: invocation.has("articles")
      )
      return .open(.refresh(route))
    }
  )

  static let replayCommand = CommandSpec(
    "replay",
    "refresh the store from recorded responses",
    details: """
      Reads the responses that 'newsd fetch --record DIR' saved, and uses no network. The store must be empty or
      named with --db.
      """,
    operands: [OperandSpec("DIR", completion: .directory)],
    examples: [
      .init("newsd --db /tmp/bug.db replay bug-report", "reproduce a bug report"),
      .init("newsd --db /tmp/bug.db list", "list the resulting items"),
    ],
    task: { invocation, _ in
      .run { try await $0.replay(invocation.operands[0], isSeparate: invocation.has("db")) }
    }
  )

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
}
