import DIContainer

extension CommandTable {
  static let mcpCommands = [Entry("mcp") { mcpCommand }]

  static let mcpCommand = CommandSpec(
    "mcp",
    "give a language model tools to read the news",
    details: """
      Runs a server of the Model Context Protocol on standard input and output. A program that uses a
      language model starts the server and offers the model its tools: search, list, show, feeds and status.
      Texts of items come from the web and may try to instruct the model.
      """,
    options: [OptionSpec("write", "also offer mark and subscribe, which change the store")],
    needsStore: true,
    changesStore: .with("write"),
    isHeavy: .with("write"),
    examples: [
      .init("newsd mcp", "the command for the configuration of a program that uses a language model"),
      .init("newsd mcp --write", "let the model also mark items and subscribe to feeds"),
    ],
    task: { invocation, _ in .run { try await $0.mcp(writes: invocation.has("write")) } }
  )
}
