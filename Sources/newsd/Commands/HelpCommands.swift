extension CommandTable {
  static let helpCommand = CommandSpec(
    "help",
    "list the commands, or explain one in full",
    operands: [OperandSpec("COMMAND", .many, completion: .commands)],
    examples: [
      .init("newsd help", "list the commands"),
      .init("newsd help feeds", "all about subscriptions"),
    ]
  ) { invocation, context in
    let help = HelpText(table: commands, globalOptions: globalOptions)
    try context.output.write(invocation.operands.isEmpty ? help.overview : help.command(invocation.operands))
    return .done
  }

  static let versionCommand = CommandSpec(
    "version",
    "print the version of newsd",
    examples: [
      .init("newsd version", "print the version"),
      .init("newsd --version", "the same"),
    ]
  ) { _, context in
    try context.output.write("newsd \(Version.number)\n")
    return .done
  }

  static let manualCommand = CommandSpec(
    "manual",
    "print the manual page newsd(1), in mdoc",
    examples: [
      .init("newsd manual | man -l -", "read it"),
      .init("newsd manual > newsd.1", "keep it"),
    ]
  ) { _, context in
    let manual = ManualPage(table: commands, globalOptions: globalOptions, date: Version.date)
    try context.output.write(manual.text)
    return .done
  }
}
