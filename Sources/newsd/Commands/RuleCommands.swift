import NewsSearch
import DIContainer
import Modules
import NewsCore
import NewsFormats
import NewsToolbox

extension CommandTable {
  static let rulesCommand = CommandSpec(
    "rules",
    "mark, star, tag, label or drop new items by rules",
    details: """
      newsd applies the rules in their order to each new item that it fetches or ingests, not to imported
      items. After drop, no further rule is applied, and the item is not stored.
      """,
    defaultSubcommand: "list",
    subcommands: [rulesList, rulesAdd, rulesRemove, rulesTest]
  )

  private static let rulesList = CommandSpec(
    "list",
    "list the rules in their order",
    options: OptionGroup.records(Tables.rules.names),
    needsStore: true,
    examples: [
      .init("newsd rules", "list the rules with their numbers"),
      .init("newsd rules list --format jsonl", "print the rules for programs"),
    ],
    task: { _, _ in .run { try await $0.rules(.list) } }
  )

  private static let rulesAdd = CommandSpec(
    "add",
    "append a rule",
    options: [
      OptionSpec(
        "do",
        value: "ACTION",
        completion: .words(["mark-read", "star", "drop", "tag:", "label:"]),
        repeats: true,
        "mark-read, star, tag:NAME, label:NAME or drop; may repeat, except drop: actions are done in the order given"
      )
    ],
    operands: [OperandSpec("QUERY", .oneOrMore)],
    takesQuery: true,
    examples: [
      .init("newsd rules add 'title:sponsored' --do drop", "never store advertisements"),
      .init("newsd rules add 'feed:LWN kernel' --do star --do tag:kernel", "star and tag what matters"),
    ],
    task: { invocation, _ in
      let actions = try ruleActions(invocation.values("do"))
      let query = invocation.operands.joined(separator: " ")
      return .run { try await $0.rules(.add(query: query, actions)) }
    }
  )

  private static func ruleActions(_ texts: [String]) throws(UsageError) -> [RuleAction] {
    guard !texts.isEmpty else { throw UsageError("rules add needs --do ACTION", command: "rules") }
    var actions: [RuleAction] = []
    for text in texts {
      guard let action = RuleAction(text) else {
        throw UsageError(
          "--do takes mark-read, star, drop, tag:NAME or label:NAME, not '\(text)'"
            + Suggestion.text(for: text, among: ["mark-read", "star", "drop"]),
          command: "rules"
        )
      }
      if !actions.contains(action) { actions.append(action) }
    }
    guard actions.count == 1 || !actions.contains(.drop) else {
      throw UsageError("--do drop takes no other action: dropped items are not stored", command: "rules")
    }
    return actions
  }

  private static let rulesRemove = CommandSpec(
    "remove",
    "remove the Nth rule",
    operands: [OperandSpec("N")],
    needsStore: true,
    examples: [
      .init("newsd rules remove 2", "remove the second rule; later rules move up"),
      .init("newsd rules remove 1", "remove the first rule"),
    ],
    task: { invocation, _ in
      guard let number = Int(invocation.operands[0]), number > 0 else {
        throw UsageError(
          "a rule's number is a whole number, not '\(invocation.operands[0])'",
          command: "rules"
        )
      }
      return .run { try await $0.rules(.remove(number)) }
    }
  )

  private static let rulesTest = CommandSpec(
    "test",
    "list the stored items that a query matches; nothing is changed",
    options: OptionGroup.filters + OptionGroup.paging + OptionGroup.items,
    operands: [OperandSpec("QUERY", .oneOrMore)],
    takesQuery: true,
    needsStore: true,
    examples: [
      .init("newsd rules test title:sponsored --since 30d", "try a query before adding a rule"),
      .init("newsd rules test 'author:press' --format tsv", "print the matches as tab-separated columns"),
    ],
    task: { invocation, context in
      var list = try context.reading(invocation).list(order: .newest)
      let text = invocation.operands.joined(separator: " ")
      list.filter.query = try QueryParser.parse(text, now: context.services.clock.now()).query
      // Run a list instead of a search, so that the query stays out of the search history.
      return .open(.list(list))
    }
  )
}
