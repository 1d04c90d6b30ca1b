import NewsSearch
import DIContainer
import Modules
import NewsCore
import NewsFormats
import NewsToolbox

extension CommandTable {
  static let ruleCommands = [Entry("rules") { rulesCommand }]

  static let rulesCommand = CommandSpec(
    "rules",
    "mark, star, tag, label or drop new items by rules",
    details: """
      newsd applies the rules in their order to each new item that it fetches or ingests, not to imported
      items. After drop, no further rule is applied, and the item is not stored.
      """,
    defaultSubcommand: "list",
    subcommands: [rulesList, rulesAdd, rulesEdit, rulesMove, rulesRemove, rulesTest]
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
      doOption,
      OptionSpec("until", value: "T", "apply the rule only until T: a span from now such as 7d, or a date"),
    ],
    operands: [OperandSpec("QUERY", .oneOrMore)],
    takesQuery: true,
    changesStore: true,
    examples: [
      .init("newsd rules add 'title:sponsored' --do drop", "never store advertisements"),
      .init("newsd rules add 'feed:LWN kernel' --do star --do tag:kernel", "star and tag what matters"),
      .init("newsd rules add election --do mark-read --until 7d", "mark a topic read for a week"),
    ],
    task: { invocation, context in
      let actions = try ruleActions(invocation.values("do"))
      let until = try ruleEnd(invocation, now: context.services.clock.now())
      let query = invocation.operands.joined(separator: " ")
      return .run { try await $0.rules(.add(query: query, actions, until: until)) }
    }
  )

  private static let doOption = OptionSpec(
    "do",
    value: "ACTION",
    completion: .words(["mark-read", "star", "drop", "tag:", "label:"]),
    repeats: true,
    "mark-read, star, tag:NAME, label:NAME or drop; may repeat, except drop: actions are done in the order given"
  )

  private static let rulesEdit = CommandSpec(
    "edit",
    "change the query, the actions or the end of the Nth rule",
    details: "What is not named stays as it is. A rule with another query counts its hits anew.",
    options: [
      doOption,
      OptionSpec(
        "until",
        value: "T",
        "apply the rule until T: a span from now such as 7d, a date, or always"
      ),
    ],
    operands: [OperandSpec("N"), OperandSpec("QUERY", .many)],
    takesQuery: true,
    needsStore: true,
    changesStore: true,
    examples: [
      .init("newsd rules edit 2 'title:sponsored OR title:advert'", "give the second rule another query"),
      .init("newsd rules edit 2 --do label:later --until always", "label instead, without an end"),
    ],
    task: { invocation, context in
      let number = try ruleNumber(invocation.operands[0])
      let query = invocation.operands.dropFirst().joined(separator: " ")
      var change = RuleChange(query: query.isEmpty ? nil : query)
      if invocation.has("do") { change.actions = try ruleActions(invocation.values("do")) }
      if invocation.value("until") == "always" {
        change.until = .always
      } else if let end = try ruleEnd(invocation, now: context.services.clock.now()) {
        change.until = .until(end)
      }
      guard change != RuleChange() else {
        throw UsageError("rules edit needs a QUERY, --do ACTION or --until T", command: "rules")
      }
      return .run { [change] in try await $0.rules(.change(number, change)) }
    }
  )

  private static let rulesMove = CommandSpec(
    "move",
    "move the Nth rule to another place",
    options: [
      OptionSpec("to", value: "N", "the new place; a number after the last rule means the last place")
    ],
    operands: [OperandSpec("N")],
    needsStore: true,
    changesStore: true,
    examples: [
      .init("newsd rules move 3 --to 1", "apply the third rule first"),
      .init("newsd rules move 1 --to 99", "apply the first rule last"),
    ],
    task: { invocation, _ in
      let number = try ruleNumber(invocation.operands[0])
      guard let place = try invocation.integer("to", in: 1...Int.max) else {
        throw UsageError("rules move needs --to N", command: "rules")
      }
      return .run { try await $0.rules(.change(number, RuleChange(place: place))) }
    }
  )

  private static func ruleNumber(_ text: String) throws(UsageError) -> Int {
    guard let number = Int(text), number > 0 else {
      throw UsageError("a rule's number is a whole number, not '\(text)'", command: "rules")
    }
    return number
  }

  private static func ruleEnd(_ invocation: Invocation, now: Timestamp) throws(UsageError) -> Timestamp? {
    guard let text = invocation.value("until") else { return nil }
    guard let end = TimeExpression.parseEnd(text, now: now), now < end else {
      throw UsageError(
        "--until of a rule takes a time to come such as 7d or 2030-01-31, not '\(text)'",
        command: "rules"
      )
    }
    return end
  }

  private static func ruleActions(_ texts: [String]) throws(UsageError) -> [RuleAction] {
    guard !texts.isEmpty else { throw UsageError("rules add needs --do ACTION", command: "rules") }
    var actions: [RuleAction] = []
    for text in texts {
      guard let action = RuleAction(text) else {
        throw UsageError(
          "--do takes mark-read, star, drop, tag:NAME or label:NAME, not '\(text)'"
            + NameHint.text(for: text, among: ["mark-read", "star", "drop"]),
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
    changesStore: true,
    examples: [
      .init("newsd rules remove 2", "remove the second rule; later rules move up"),
      .init("newsd rules remove 1", "remove the first rule"),
    ],
    task: { invocation, _ in
      let number = try ruleNumber(invocation.operands[0])
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
