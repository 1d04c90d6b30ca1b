extension CommandTable {
  static let helpCommand = CommandSpec(
    "help",
    "what newsd can do, or one command in full",
    operands: [OperandSpec("COMMAND", .many)],
    examples: [
      .init("newsd help", "list the commands"),
      .init("newsd help feeds", "all about subscriptions"),
    ]
  ) { invocation, context in
    let help = HelpText(table: commands, globalOptions: globalOptions)
    try context.output.write(invocation.operands.isEmpty ? help.overview : help.command(invocation.operands))
    return .done
  }

  static let versionCommand = CommandSpec("version", "the version of newsd") { _, context in
    try context.output.write("newsd \(Version.number)\n")
    return .done
  }
}
