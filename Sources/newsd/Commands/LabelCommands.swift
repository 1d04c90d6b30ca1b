import DIContainer
import Modules
import NewsCore
import NewsFormats
import NewsToolbox

extension CommandTable {
  static let markingCommands = [
    Entry("mark") { markCommand },
    Entry("label") { labelCommand },
    Entry("save") { saveCommand },
  ]

  static let markCommand = CommandSpec(
    "mark",
    "change the state of items",
    details: """
      Marks the items with these IDs, the items that filters or a QUERY select, or all items (--all). '-'
      reads IDs from standard input, separated by line breaks or blanks. An operand that is a number is an ID;
      to search for a number, write '"2026"'.
      """,
    options: OptionGroup.filters
      + [OptionSpec("all", "mark all items; required if no ID, filter or QUERY is given")],
    operands: [
      OperandSpec("read|unread|starred|unstarred", completion: .words(ItemMark.allCases.map(\.rawValue))),
      OperandSpec("ID|QUERY", .many),
    ],
    needsStore: true,
    changesStore: true,
    examples: [
      .init("newsd mark starred 1234 1235", "star two items"),
      .init("newsd mark read --feed LWN --until 7d", "mark a feed's items that are older than a week"),
      .init("newsd mark read 'title:sponsored'", "mark the items that a query finds"),
      .init("newsd list --format tsv --fields id | newsd mark read -", "mark the items of a list"),
    ],
    task: { invocation, context in
      guard let mark = ItemMark(rawValue: invocation.operands[0]) else {
        let names = ItemMark.allCases.map(\.rawValue)
        throw UsageError(
          "mark takes \(names.joined(separator: ", ")), not '\(invocation.operands[0])'"
            + NameHint.text(for: invocation.operands[0], among: names),
          command: "mark"
        )
      }
      return .open(.mark(MarkRoute(try changedItems(invocation, context), mark)))
    }
  )

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
      changesStore: true,
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
    changesStore: true,
    examples: [
      .init("newsd save 1234", "save an item"),
      .init("newsd list --starred --format ids | newsd save -", "save all starred items"),
    ],
    task: { invocation, _ in
      let ids = try itemIDs(invocation.operands)
      return .run { try await $0.save(ids) }
    }
  )

  /// Reads the operands after the first one, and the filters, as the items that a command changes.
  static func changedItems(
    _ invocation: Invocation,
    _ context: CommandContext
  ) throws -> MarkRoute.Items {
    let name = invocation.path.joined(separator: " ")
    let words = Array(invocation.operands.dropFirst())
    if let address = words.first(where: { WebAddress($0)?.isWeb == true }) {
      throw UsageError(
        "\(name) takes IDs or a QUERY, not the address '\(address)'; 'newsd search url:WORD' finds items by address",
        command: invocation.path.first
      )
    }
    let options = CommandTable.command(invocation.path)?.options ?? []
    let areIDs = words.map { $0 == "-" || Int64($0) != nil }
    guard areIDs.contains(true) else {
      let (filter, isEverything) = try selection(invocation, context, words: words)
      guard !isEverything || invocation.has("all") else {
        throw UsageError("\(name) needs an ID, a filter, a QUERY or --all", command: invocation.path.first)
      }
      return .selected(filter)
    }
    guard !areIDs.contains(false) else {
      throw UsageError("\(name) takes IDs or a QUERY, not both", command: invocation.path.first)
    }
    for option in options where invocation.has(option.long) {
      throw UsageError("--\(option.long) has no effect on IDs", command: invocation.path.first)
    }
    return .ids(try itemIDs(words))
  }
}
