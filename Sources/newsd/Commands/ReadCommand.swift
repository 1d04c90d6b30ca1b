import NewsTerminal
import DIContainer
import Glibc
import Modules

extension CommandTable {
  static let readCommands = [Entry("read") { readCommand }]

  static let readCommand = CommandSpec(
    "read",
    "read news in full screens",
    details: """
      Opens the list of subscriptions, or with QUERY or a filter the list of matching items. Enter opens the
      selected line, q goes back, ? shows the keys. By default, items are marked read when they are opened.
      Items that a daemon or another newsd stores appear at once. Keys, colours and programs are set in
      newsd.yaml.
      """,
    options: OptionGroup.filters,
    operands: [OperandSpec("QUERY", .many)],
    takesQuery: true,
    needsStore: true,
    makesDefaultStore: true,
    changesStore: true,
    isHeavy: true,
    signals: [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP],
    examples: [
      .init("newsd read", "open the list of subscriptions"),
      .init("newsd read --unread --folder News", "open the list of unread items of a folder"),
      .init("newsd read kernel since:7d", "open the list of items that match a query"),
    ],
    task: { invocation, context in
      let start = try start(invocation, context)
      return .run { try await $0.read(start, host: try host(invocation, context)) }
    }
  )

  /// The route at which the reader starts; nil: the subscriptions, or the last place.
  private static func start(_ invocation: Invocation, _ context: CommandContext) throws -> Route? {
    var list = ListRoute()
    list.filter = try context.reading(invocation).filter()
    if !invocation.operands.isEmpty {
      return .search(SearchRoute(text: invocation.operands.joined(separator: " "), list: list))
    }
    return list.filter == ListRoute().filter ? nil : .list(list)
  }

  private static func host(_ invocation: Invocation, _ context: CommandContext) throws -> ReaderHost {
    var options = context.settings.reader
    if let browser = try? Browser(environment: context.environment) { options.browser = browser.words }
    return ReaderHost(
      commands: try ReaderCommandLine(context: context, invocation: invocation),
      options: options,
      environment: context.environment,
      signals: try context.requireSignals().signals
    )
  }
}
