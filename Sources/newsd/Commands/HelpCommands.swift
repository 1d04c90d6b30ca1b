import Modules

extension CommandTable {
  static let helpCommand = CommandSpec(
    "help",
    "list the commands, or explain one in full",
    operands: [OperandSpec("COMMAND", .many, completion: .commands)],
    examples: [
      .init("newsd help", "list the commands"),
      .init("newsd help feeds", "explain the commands for subscriptions"),
    ],
    route: { invocation, _ in .reference(.help(invocation.operands)) }
  )

  static let versionCommand = CommandSpec(
    "version",
    "print the version of newsd",
    examples: [
      .init("newsd version", "print the version"),
      .init("newsd --version", "print the version, as the command does"),
    ],
    route: { _, _ in .reference(.version) }
  )

  static let manualCommand = CommandSpec(
    "manual",
    "print the manual page newsd(1), in mdoc",
    examples: [
      .init("newsd manual | man -l -", "read the manual page"),
      .init("newsd manual > newsd.1", "write the manual page to a file"),
    ],
    route: { _, _ in .reference(.manual) }
  )
}
