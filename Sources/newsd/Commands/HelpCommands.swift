import DIContainer
import Modules

extension CommandTable {
  static let helpCommands = [manualCommand, helpCommand, versionCommand]

  static let helpCommand = CommandSpec(
    "help",
    "list the commands, or explain one in full",
    operands: [OperandSpec("COMMAND", .many, completion: .commands)],
    examples: [
      .init("newsd help", "list the commands"),
      .init("newsd help feeds", "explain the commands for subscriptions"),
    ],
    task: { invocation, _ in
      .print(try HelpText(table: commands, globalOptions: globalOptions).command(invocation.operands))
    }
  )

  static let versionCommand = CommandSpec(
    "version",
    "print the version of newsd",
    examples: [
      .init("newsd version", "print the version"),
      .init("newsd --version", "print the version, as the command does"),
    ],
    task: { _, _ in .print("newsd \(Version.number)\n") }
  )

  static let manualCommand = CommandSpec(
    "manual",
    "print the manual page newsd(1), in mdoc",
    examples: [
      .init("newsd manual | man -l -", "read the manual page"),
      .init("newsd manual > newsd.1", "write the manual page to a file"),
    ],
    task: { _, _ in
      .print(ManualPage(table: commands, globalOptions: globalOptions, date: Version.date).text)
    }
  )
}
