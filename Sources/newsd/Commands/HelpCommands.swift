import Modules

extension CommandTable {
  static let helpCommand = CommandSpec(
    "help",
    "list the commands, or explain one in full",
    operands: [OperandSpec("COMMAND", .many, completion: .commands)],
    examples: [
      .init("newsd help", "list the commands"),
      .init("newsd help feeds", "all about subscriptions"),
    ],
    route: { invocation, _ in .reference(.help(invocation.operands)) }
  )

  static let versionCommand = CommandSpec(
    "version",
    "print the version of newsd",
    examples: [
      .init("newsd version", "print the version"),
      .init("newsd --version", "the same"),
    ],
    route: { _, _ in .reference(.version) }
  )

  static let manualCommand = CommandSpec(
    "manual",
    "print the manual page newsd(1), in mdoc",
    examples: [
      .init("newsd manual | man -l -", "read it"),
      .init("newsd manual > newsd.1", "keep it"),
    ],
    route: { _, _ in .reference(.manual) }
  )
}
