import DIContainer
import Modules

extension CommandTable {
  static let fetchingCommands = [Entry("fetch") { fetchCommand }]

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
    changesStore: true,
    isHeavy: true,
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
}
