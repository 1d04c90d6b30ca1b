import Modules
import NewsFormats

extension CommandTable {
  static let nodesCommand = CommandSpec(
    "nodes",
    "list the processes that poll a store on PostgreSQL together",
    details: """
      Any number of 'newsd run' processes share the feeds of a store on PostgreSQL: each feed is polled once
      per interval, and the limits of sites hold for all processes together. 'node.name' in the configuration
      sets the name of a process; docs/postgresql.md explains leases and failures.
      """,
    options: OptionGroup.records(FieldNames.nodes),
    needsStore: true,
    examples: [
      .init("newsd --db postgresql://news@db.example/news nodes", "list the processes and their starts"),
      .init("newsd nodes --format json", "for monitoring"),
    ],
    route: { _, _ in .nodes }
  )
}
