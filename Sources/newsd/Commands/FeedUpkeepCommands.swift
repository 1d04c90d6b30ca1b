import DIContainer
import Modules
import NewsCore
import NewsFormats

extension CommandTable {
  static let feedsMoves = CommandSpec(
    "moves",
    "list permanent redirects; adopt or revert one",
    details: """
      Lists feeds that have moved: followed from the next poll on, and adopted as the subscription's URL when several
      polls over a day agree. --apply adopts one at once, --revert gives it its former URL back.
      """,
    options: [
      OptionSpec("apply", value: "FEED", completion: .feeds, "make the new address the feed's URL now"),
      OptionSpec(
        "revert",
        value: "FEED",
        completion: .feeds,
        "go back to the URL before the last adopted move"
      ),
    ] + OptionGroup.records(FieldNames.moves),
    modes: [.init("apply"), .init("revert")],
    needsStore: true,
    examples: [
      .init("newsd feeds moves", "who has moved"),
      .init("newsd feeds moves --apply 7", "believe it now"),
    ],
    route: { invocation, context in
      if let name = invocation.value("apply") { return .moves(.apply(feed: name)) }
      if let name = invocation.value("revert") { return .moves(.revert(feed: name)) }
      return .moves(.list)
    }
  )

  static let feedsIdentity = CommandSpec(
    "identity",
    "show or choose how a feed's items are told apart: guid, link or content",
    details: "Chosen from the feed's own history, unless POLICY says otherwise; auto goes back to that.",
    operands: [
      feedOperand, OperandSpec("POLICY", .optional, completion: .words(FeedIdentity.policies + ["auto"])),
    ],
    needsStore: true,
    examples: [
      .init("newsd feeds identity 7", "what is in use"),
      .init("newsd feeds identity 7 link", "for a feed whose guids change"),
    ],
    route: { invocation, _ in
      let policy = invocation.operands.dropFirst().first
      let names = FeedIdentity.policies + ["auto"]
      if let policy, !names.contains(policy) {
        throw UsageError(
          "a policy is \(names.joined(separator: ", ")), not '\(policy)'"
            + Suggestion.text(for: policy, among: names),
          command: "feeds"
        )
      }
      return .feedIdentity(FeedIdentityRoute(feed: invocation.operands[0], policy: policy))
    }
  )

  static let feedsPreview = CommandSpec(
    "preview",
    "show the articles of a feed's newest items beside the feed's texts; store nothing",
    details: "Uses the feed's article-content, article-remove and article-next, whatever its article says.",
    options: [OptionSpec("limit", short: "n", value: "N", "how many items (3)")],
    operands: [feedOperand],
    needsStore: true,
    examples: [
      .init("newsd feeds preview 7", "try its selectors"),
      .init("newsd feeds preview LWN -n 10", "on more items"),
    ],
    route: { invocation, _ in
      let text = invocation.value("limit") ?? "3"
      guard let limit = Int(text), (1...20).contains(limit) else {
        throw UsageError("--limit takes 1 to 20, not '\(text)'", command: "feeds preview")
      }
      return .articlePreview(ArticlePreviewRoute(feed: invocation.operands[0], limit: limit))
    }
  )

  static let feedsSet = CommandSpec(
    "set",
    "change settings of one feed, or of all in a folder; without settings, print them",
    details: """
      An empty value goes back to the general configuration. url=URL changes the feed's address: items, title and settings
      stay, the next poll asks the new address at once. With --folder there is no FEED: the settings go to every feed in
      the folder and below it; article and its selectors also to feeds that come into the folder later.
      """,
    options: [
      OptionSpec("folder", value: "F", completion: .folders, "the feeds of this folder instead of FEED")
    ],
    operands: [
      OperandSpec("FEED", .optional, completion: .feeds),
      OperandSpec(
        "KEY=VALUE",
        .many,
        completion: .words(["url="] + FeedSettingKey.all.map { $0.name.rawValue + "=" })
      ),
    ],
    settings: [CommandSpec.Setting(name: "url", help: "the feed's address; no other feed may have it")]
      + FeedSettingKey.all.map { CommandSpec.Setting(name: $0.name.rawValue, help: $0.help) },
    needsStore: true,
    examples: [
      .init("newsd feeds set 7 minimum-interval=2h timeout=30s", "poll it less, give up sooner"),
      .init("newsd feeds set 7 url=https://example.org/new-feed.xml", "follow a feed that has moved"),
      .init("newsd feeds set intranet credential=env:INTRANET_LOGIN", "log in with what a variable holds"),
      .init(
        "newsd feeds set 7 article=auto article-remove=.newsletter",
        "whole articles, where it has excerpts"
      ),
      .init("newsd feeds set --folder News article=always", "for every feed in News"),
      .init("newsd feeds set --folder News", "what feeds take over that come into News"),
    ],
    route: { invocation, _ in
      if let folder = invocation.value("folder") {
        guard !invocation.operands.isEmpty else { return .feedSettings(.showFolder(folder)) }
        guard !invocation.operands.contains(where: { $0.hasPrefix("url=") }) else {
          throw UsageError(
            "url is an address of one feed and has no effect with --folder",
            command: "feeds set"
          )
        }
        return .feedSettings(.changeFolder(folder, try FeedSettingKey.changes(invocation.operands)))
      }
      guard let feed = invocation.operands.first else {
        throw UsageError("feeds set needs FEED or --folder", command: "feeds set")
      }
      let words = invocation.operands.dropFirst()
      guard !words.isEmpty else { return .feedSettings(.show(feed: feed)) }
      let urls = words.filter { $0.hasPrefix("url=") }.map { String($0.dropFirst("url=".count)) }
      guard urls.count < 2 else { throw UsageError("url is given more than once", command: "feeds set") }
      let url = try urls.first.map { try TypedAddress.url($0, directory: workingDirectory) }
      let changes = try FeedSettingKey.changes(words.filter { !$0.hasPrefix("url=") })
      return .feedSettings(.change(feed: feed, url: url, changes))
    }
  )
}
