import DIContainer
import Modules
import NewsTerminal

extension CommandTable {
  static let readCommand = CommandSpec(
    "read",
    "read news in full screens",
    details: """
      Opens the subscriptions; with QUERY or a filter, what they find. Enter goes in, q goes back, ? shows the keys. Items are
      marked read when they are opened. What a daemon or another newsd stores appears by itself. Keys, colours and programs are
      set in newsd.yaml.
      """,
    options: OptionGroup.filters,
    operands: [OperandSpec("QUERY", .many)],
    takesQuery: true,
    needsStore: true,
    makesDefaultStore: true,
    examples: [
      .init("newsd read", "the subscriptions"),
      .init("newsd read --unread --folder News", "what is unread in a folder"),
      .init("newsd read kernel since:7d", "what a search finds"),
    ],
    perform: { invocation, context in
      guard let signals = context.signals else {
        throw CommandFailure(.internalError, "read began without its signals")
      }
      var presentation = try context.presentation(invocation)
      presentation.isQuiet = true
      let configurator = Configurator(services: context.services, presentation: presentation)
      var options = context.settings.reader
      if let browser = try? Browser(environment: context.environment) { options.browser = browser.words }
      try await configurator.read(
        try route(invocation, context),
        commands: ReaderCommandLine(context: context, invocation: invocation),
        options: options,
        environment: context.environment,
        signals: signals.signals
      )
      return .done
    }
  )

  /// Where the words lead; nil: to the subscriptions.
  private static func route(_ invocation: Invocation, _ context: CommandContext) throws -> Route? {
    var list = ListRoute()
    list.filter = try context.reading(invocation).filter()
    if !invocation.operands.isEmpty {
      return .search(SearchRoute(text: invocation.operands.joined(separator: " "), list: list))
    }
    return list.filter == ListRoute().filter ? nil : .list(list)
  }
}
