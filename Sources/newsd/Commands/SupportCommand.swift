import DIContainer
import Glibc
import Modules

extension CommandTable {
  static let supportCommands = [
    Entry("support") { supportCommand },
    Entry("replay") { replayCommand },
    Entry("debug") { debugCommand },
  ]

  static let supportCommand = CommandSpec(
    "support",
    "print what a bug report needs, without secrets",
    details: """
      Prints the versions of newsd, its libraries and the system; the keys of the configuration that are set,
      with values that are numbers or single words; the layout, size and figures of the store; and how many
      deliveries of hooks and polls of feeds fail. The report has no addresses of feeds, no names of hooks and
      users, and no credentials. With --addresses, it names the failing feeds and their last errors, without
      passwords. Read it before you send it.
      """,
    options: [OptionSpec("addresses", "also print the addresses and errors of the failing feeds")],
    needsStore: true,
    examples: [
      .init("newsd support > report.txt", "write the report for a bug report"),
      .init("newsd --db news.db support --addresses", "report on this store, with the failing feeds"),
    ],
    task: { invocation, context in
      let request = SupportRequest(
        versions: Version.lines.map { SupportFact($0.name, $0.value) } + system,
        configuration: configuration(context.settings),
        namesFeeds: invocation.has("addresses")
      )
      return .run { try await $0.support(request) }
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
    changesStore: true,
    examples: [
      .init("newsd --db /tmp/bug.db replay bug-report", "reproduce a bug report"),
      .init("newsd --db /tmp/bug.db list", "list the resulting items"),
    ],
    task: { invocation, _ in
      .run { try await $0.replay(invocation.operands[0], isSeparate: invocation.has("db")) }
    }
  )

  static let debugCommand = CommandSpec(
    "debug",
    "print diagnostics for bug reports",
    subcommands: [
      CommandSpec(
        "tokens",
        "print the words under which newsd indexes a text",
        details: """
          Each line has a word, the offset of its first byte in TEXT and the offset after its last byte. A line
          that ends with + has a variant of the word before it.
          """,
        options: [OptionSpec("query", "split TEXT as a search does")],
        operands: [OperandSpec("TEXT", .oneOrMore)],
        accounts: .none,
        examples: [
          .init("newsd debug tokens 'Größe C++ 日本語'", "see why a search finds or does not find a text"),
          .init("newsd debug tokens --query 日本", "print the words that a search looks up"),
        ],
        task: { invocation, _ in
          let text = invocation.operands.joined(separator: " ")
          return .run { try await $0.debugTokens(of: text, isQuery: invocation.has("query")) }
        }
      )
    ]
  )

  /// The operating system and its release.
  private static var system: [SupportFact] {
    var names = utsname()
    guard uname(&names) == 0 else { return [] }
    func text(_ field: some Any) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    let key = Array("PRETTY_NAME=".utf8)
    let lines = ((try? InputFile.read("/etc/os-release")) ?? []).split(separator: UInt8(ascii: "\n"))
    let value = lines.first { $0.starts(with: key) }?.dropFirst(key.count)
    let name = value.map { String(decoding: $0.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self) }
    return [
      SupportFact("kernel", "\(text(names.sysname)) \(text(names.release)) \(text(names.machine))"),
      SupportFact("system", name ?? "unknown"),
    ]
  }

  private static func configuration(_ settings: Settings) -> [SupportFact] {
    var facts = settings.configured.sorted { $0.key < $1.key }.map { SupportFact($0.key, $0.value) }
    if !settings.credentials.isEmpty {
      facts.append(SupportFact("credentials", "\(settings.credentials.count) set"))
    }
    if !settings.hooks.isEmpty { facts.append(SupportFact("hooks", "\(settings.hooks.count) set")) }
    return facts
  }
}
