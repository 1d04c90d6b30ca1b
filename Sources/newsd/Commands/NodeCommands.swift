import Modules
import NewsFormats

extension CommandTable {
  static let nodesCommand = CommandSpec(
    "nodes",
    "the processes that poll a store on PostgreSQL together",
    details: """
      Any number of 'newsd run' share the feeds of a store on PostgreSQL: each feed is polled once per
      interval, and the limits of sites hold for all of them together. 'node.name' in the configuration names
      each; docs/postgresql.md explains leases and failures.
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
