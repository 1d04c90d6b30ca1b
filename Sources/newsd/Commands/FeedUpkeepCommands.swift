import DIContainer
import Modules
import NewsCore
import NewsFormats
import NewsToolbox

extension CommandTable {
  static let feedUpkeepCommands = [feedsMoves, feedsIdentity, feedsSet, feedsPreview]

  private static let feedsMoves = CommandSpec(
    "moves",
    "list permanent redirects; adopt or revert one",
    details: """
      Lists feeds that answer with a permanent redirect, and feeds whose new address newsd has adopted. From the
      next poll on, newsd requests the new address directly. It adopts the address as the feed's URL when
      several polls over a day agree. --apply adopts the new address at once, --revert restores the feed's
      former URL.
      """,
    options: [
      OptionSpec("apply", value: "FEED", completion: .feeds, "make the new address the feed's URL now"),
      OptionSpec(
        "revert",
        value: "FEED",
        completion: .feeds,
        "go back to the URL before the last adopted move"
      ),
    ] + OptionGroup.records(Tables.moves.names),
    modes: [.init("apply"), .init("revert")],
    needsStore: true,
    changesStore: .with("apply", "revert"),
    examples: [
      .init("newsd feeds moves", "list the feeds that have moved"),
      .init("newsd feeds moves --apply 7", "adopt the new address now"),
    ],
    task: { invocation, _ in
      let request: FeedsMovesRequest =
        if let name = invocation.value("apply") {
          .apply(feed: name)
        } else if let name = invocation.value("revert") {
          .revert(feed: name)
        } else {
          .list
        }
      return .run { try await $0.feedsMoves(request) }
    }
  )

  private static let feedsIdentity = CommandSpec(
    "identity",
    "show or set what identifies a feed's items: guid, link or content",
    details: """
      Without POLICY, shows the identity in use. POLICY is guid, link or content, or auto: newsd then chooses
      the identity from the history of the feed. The default is auto.
      """,
    operands: [
      feedOperand, OperandSpec("POLICY", .optional, completion: .words(FeedIdentity.policies + ["auto"])),
    ],
    needsStore: true,
    changesStore: .withOperand(2),
    examples: [
      .init("newsd feeds identity 7", "show the identity in use"),
      .init("newsd feeds identity 7 link", "identify the items of a feed whose guids change by their links"),
    ],
    task: { invocation, _ in
      let policy = invocation.operands.dropFirst().first
      let names = FeedIdentity.policies + ["auto"]
      if let policy, !names.contains(policy) {
        throw UsageError(
          "POLICY takes \(names.joined(separator: ", ")), not '\(policy)'"
            + NameHint.text(for: policy, among: names),
          command: "feeds"
        )
      }
      return .run { try await $0.feedsIdentity(of: invocation.operands[0], policy: policy) }
    }
  )

  private static let feedsPreview = CommandSpec(
    "preview",
    "show the articles of a feed's newest items beside the feed's texts; store nothing",
    details:
      "Uses the feed's settings article-content, article-remove and article-next, even with article=never.",
    options: [OptionSpec("limit", short: "n", value: "N", "show N items (default 3)")],
    operands: [feedOperand],
    needsStore: true,
    isHeavy: true,
    examples: [
      .init("newsd feeds preview 7", "try the feed's selectors"),
      .init("newsd feeds preview LWN -n 10", "try the selectors on ten items"),
    ],
    task: { invocation, _ in
      let text = invocation.value("limit") ?? "3"
      guard let limit = Int(text), (1...20).contains(limit) else {
        throw UsageError("--limit takes 1 to 20, not '\(text)'", command: "feeds preview")
      }
      return .run { try await $0.feedsPreview(of: invocation.operands[0], limit: limit) }
    }
  )

  private static let feedsSet = CommandSpec(
    "set",
    "change settings of one feed, or of all feeds in a folder; without settings, print those of the feed, "
      + "or those that feeds added to the folder get",
    details: """
      An empty value removes a setting, so that the general configuration applies. url=URL changes the feed's
      address: the feed keeps its items, title and settings, and is due at the new address at once. With
      --folder instead of FEED, newsd changes every feed in the folder and its subfolders. The settings article
      and article-… also apply to feeds that are added or moved to the folder later.
      """,
    options: [
      OptionSpec(
        "folder",
        value: "F",
        completion: .folders,
        "change the feeds of this folder instead of FEED"
      )
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
    changesStore: true,
    examples: [
      .init(
        "newsd feeds set 7 minimum-interval=2h timeout=30s",
        "poll a feed at most every two hours, end its requests after 30 seconds"
      ),
      .init(
        "newsd feeds set 7 url=https://example.org/new-feed.xml",
        "change the address of a feed that has moved"
      ),
      .init(
        "newsd feeds set intranet credential=env:INTRANET_LOGIN",
        "log in with the password in an environment variable"
      ),
      .init(
        "newsd feeds set 7 article=auto article-remove=.newsletter",
        "fetch whole articles where the feed has excerpts"
      ),
      .init("newsd feeds set --folder News article=always", "fetch whole articles for every feed in News"),
      .init("newsd feeds set --folder News", "print the settings for feeds that are added to News"),
    ],
    task: { invocation, _ in
      let request = try settings(invocation)
      return .run { try await $0.feedsSet(request) }
    }
  )

  private static func settings(_ invocation: Invocation) throws -> FeedsSetRequest {
    if let folder = invocation.value("folder") {
      guard !invocation.operands.isEmpty else { return .showFolder(folder) }
      guard !invocation.operands.contains(where: { $0.hasPrefix("url=") }) else {
        throw UsageError(
          "url is an address of one feed and has no effect with --folder",
          command: "feeds set"
        )
      }
      return .changeFolder(folder, try FeedSettingKey.changes(invocation.operands))
    }
    guard let feed = invocation.operands.first else {
      throw UsageError("feeds set needs FEED or --folder", command: "feeds set")
    }
    let words = invocation.operands.dropFirst()
    guard !words.isEmpty else { return .show(feed: feed) }
    let urls = words.filter { $0.hasPrefix("url=") }.map { String($0.dropFirst("url=".count)) }
    guard urls.count < 2 else { throw UsageError("url is given more than once", command: "feeds set") }
    let url = try urls.first.map { try TypedAddress.url($0, directory: workingDirectory) }
    let changes = try FeedSettingKey.changes(words.filter { !$0.hasPrefix("url=") })
    return .change(feed: feed, url: url, changes)
  }
}
