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
    action: .route { invocation, context in
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
    action: .route { invocation, _ in
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

  static let feedsSet = CommandSpec(
    "set",
    "change settings of one feed; without settings, print them",
    details: """
      An empty value goes back to the general configuration. url=URL changes the feed's address: items, title and settings
      stay, the next poll asks the new address at once.
      """,
    operands: [
      feedOperand,
      OperandSpec(
        "KEY=VALUE",
        .many,
        completion: .words(["url="] + FeedSettingKey.all.map { $0.name + "=" })
      ),
    ],
    settings: [CommandSpec.Setting(name: "url", help: "the feed's address; no other feed may have it")]
      + FeedSettingKey.all.map { CommandSpec.Setting(name: $0.name, help: $0.help) },
    needsStore: true,
    examples: [
      .init("newsd feeds set 7 minimum-interval=2h timeout=30s", "poll it less, give up sooner"),
      .init("newsd feeds set 7 url=https://example.org/new-feed.xml", "follow a feed that has moved"),
      .init("newsd feeds set intranet credential=env:INTRANET_LOGIN", "log in with what a variable holds"),
    ]
  ) { invocation, context in
    let store = try context.services.store()
    let feed = try await store.feed(named: invocation.operands[0])
    let words = Array(invocation.operands.dropFirst())
    guard words.isEmpty else {
      let urls = words.filter { $0.hasPrefix("url=") }.map { String($0.dropFirst("url=".count)) }
      guard urls.count < 2 else { throw UsageError("url is given more than once", command: "feeds set") }
      let url = try urls.first.map { try TypedAddress.url($0, directory: workingDirectory) }
      let others = words.filter { !$0.hasPrefix("url=") }
      var settings = feed.settings
      // Parse all settings before the first change: a mistake must change nothing.
      try FeedSettingKey.apply(others, to: &settings)
      if let url {
        let moved = try await context.services.makeMoveEditor().setURL(of: feed.id, to: url)
        settings = moved.settings
        try FeedSettingKey.apply(others, to: &settings)
        if settings.secretsFor != nil {
          context.warn(
            "the new URL is another host: credential, headers and client certificate are not sent there"
          )
        }
      }
      guard !others.isEmpty else { return .done }
      try await store.update(feed.id, settings: settings, general: context.settings.poll.intervals)
      return .done
    }
    for key in FeedSettingKey.all {
      guard let value = key.show(feed.settings) else { continue }
      try context.output.write("\(key.name)=\(DisplayText(line: value).string)\n")
    }
    return .done
  }
}
