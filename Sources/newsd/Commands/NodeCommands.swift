import DIContainer
import NewsFormats

extension CommandTable {
  static let nodeCommands = [Entry("nodes") { nodesCommand }]

  static let nodesCommand = CommandSpec(
    "nodes",
    "list the processes that poll the feeds of a store on PostgreSQL",
    details: """
      Any number of 'newsd run' processes share the feeds of a store on PostgreSQL: each feed is polled once
      per interval, and the limits of sites apply to all processes together. 'node.name' in the configuration
      sets the name of a process; docs/postgresql.md explains leases and failures.
      """,
    options: OptionGroup.records(Tables.nodes.names),
    needsStore: true,
    examples: [
      .init("newsd --db postgresql://news@db.example/news nodes", "list the processes and when they started"),
      .init("newsd nodes --format json", "print the same for monitoring"),
    ],
    task: { _, _ in .run { try await $0.nodes() } }
  )
}
