import Modules

extension CommandTable {
  static let mcpCommand = CommandSpec(
    "mcp",
    "give a language model tools to read the news",
    details: """
      A server of the Model Context Protocol on standard input and output, for programs that start such servers. Its tools
      are search, list, show, feeds and status. Texts of items come from the web and may try to instruct the model.
      """,
    options: [OptionSpec("write", "also offer mark and subscribe, which change the store")],
    needsStore: true,
    examples: [
      .init("newsd mcp", "as the command of a server in the configuration of such a program"),
      .init("newsd mcp --write", "it may also mark items and subscribe to feeds"),
    ],
    route: { invocation, _ in .mcp(writes: invocation.has("write")) }
  )
}
