import DIContainer
import Modules
import NewsFormats

extension CommandTable {
  static let labelCommand = CommandSpec(
    "label",
    "label items",
    details: """
      Labels are yours: feeds and rules' tags do not change them, and apps see them. 'label:NAME' in a QUERY
      finds the items with a label.
      """,
    defaultSubcommand: "list",
    subcommands: [labelList, labelAdd, labelRemove]
  )

  private static let labelList = CommandSpec(
    "list",
    "list the labels with their numbers of unread items",
    options: OptionGroup.records(Tables.labels.names),
    needsStore: true,
    examples: [
      .init("newsd label", "list the labels"),
      .init("newsd label list --format jsonl", "print the labels for programs"),
    ],
    task: { _, _ in .run { try await $0.labels() } }
  )

  private static let labelAdd = change(
    "add",
    "give items a label",
    isAdded: true,
    examples: [
      .init("newsd label add later 1234 1235", "label two items"),
      .init("newsd label add work --folder Jobs --since 7d", "label the items that filters select"),
    ]
  )

  private static let labelRemove = change(
    "remove",
    "remove a label from items",
    isAdded: false,
    examples: [
      .init("newsd label remove later 1234", "remove the label from an item"),
      .init("newsd label remove later is:read", "remove the label from all items that are read"),
    ]
  )

  private static func change(
    _ name: String,
    _ summary: String,
    isAdded: Bool,
    examples: [CommandSpec.Example]
  ) -> CommandSpec {
    CommandSpec(
      name,
      summary,
      details: """
        Changes the items with these IDs, or the items that filters or a QUERY select. '-' reads IDs from
        standard input, separated by line breaks or blanks. An operand that is a number is an ID; to search for
        a number, write '"2026"'.
        """,
      options: OptionGroup.filters
        + [OptionSpec("all", "change all items; required if no ID, filter or QUERY is given")],
      operands: [OperandSpec("LABEL", completion: .labels), OperandSpec("ID|QUERY", .many)],
      needsStore: true,
      examples: examples,
      task: { invocation, context in
        let items = try changedItems(invocation, context)
        let request = LabelRequest(items, label: invocation.operands[0], isAdded: isAdded)
        return .run { try await $0.label(request) }
      }
    )
  }

  static let saveCommand = CommandSpec(
    "save",
    "save items to a read-later service or an archive",
    details: """
      Passes the items to the hooks with the event 'saved'. 'newsd hooks presets' lists hooks for many
      services. '-' reads IDs from standard input, separated by line breaks or blanks.
      """,
    operands: [OperandSpec("ID", .oneOrMore)],
    needsStore: true,
    examples: [
      .init("newsd save 1234", "save an item"),
      .init("newsd list --starred --format ids | newsd save -", "save all starred items"),
    ],
    task: { invocation, _ in
      let ids = try itemIDs(invocation.operands)
      return .run { try await $0.save(ids) }
    }
  )
}
