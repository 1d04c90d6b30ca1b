extension CommandTable {
  static let helpCommands = [
    Entry("manual") { manualCommand },
    Entry("help") { helpCommand },
    Entry("version") { versionCommand },
  ]

  static let helpCommand = CommandSpec(
    "help",
    "list the commands, or explain one in full",
    operands: [OperandSpec("COMMAND", .many, completion: .commands)],
    readsConfiguration: false,
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
    "print the versions of newsd and of its libraries",
    details: """
      The first line is 'newsd' and the version. Each further line has a name, a space and a value: the commit
      that newsd was built from ('unknown' for a build without git, '-changed' after a commit whose files were
      changed), and the version of each library. 'missing' is a library that is not installed; newsd needs libpq
      only for stores on PostgreSQL, and libncursesw and libfribidi only for the reader.
      """,
    readsConfiguration: false,
    examples: [
      .init("newsd version", "print the versions, for a bug report"),
      .init("newsd --version", "do the same"),
      .init("newsd version | head -n 1", "print the version of newsd alone"),
    ],
    task: { _, _ in .print(Version.lines.map { "\($0.name) \($0.value)\n" }.joined()) }
  )

  static let manualCommand = CommandSpec(
    "manual",
    "print the manual page newsd(1), in mdoc",
    readsConfiguration: false,
    examples: [
      .init("newsd manual | man -l -", "read the manual page"),
      .init("newsd manual > newsd.1", "write the manual page to a file"),
    ],
    task: { _, _ in
      .print(ManualPage(table: commands, globalOptions: globalOptions, date: Version.date).text)
    }
  )
}
