import Modules
public import NewsCore

extension Tables {
  /// The columns of an entry of the change log: its number and kind, then the columns of the item. A deleted item
  /// has only its ids. A feed has some of these columns and two of its own.
  public static let changes = Columns<LogEntry>(
    [
      .number("seq", \.sequence),
      .text("kind", \.kindName),
    ]
      + ItemColumn.all.filter { $0.name != "seq" }.map(logged)
      + [
        .text("folder") { entry in if case .feed(let change) = entry { change.feed?.folder } else { nil } },
        .text("site_url") { entry in if case .feed(let change) = entry { change.feed?.siteURL } else { nil }
        },
      ],
    defaults: ["seq", "kind", "id", "feed_id", "title"],
    identity: "id"
  )

  /// The column for an entry of the change log.
  private static func logged(_ column: ItemColumn) -> Column<LogEntry> {
    let ofItem = ownOfItem[column.name] ?? { $0.item.map(column.value) ?? .none }
    let ofFeed = ownOfFeed[column.name] ?? { _ in .none }
    return Column(column.name, isTime: column.isTime) { entry in
      switch entry {
      case .item(let change): ofItem(change)
      case .feed(let change): ofFeed(change)
      }
    }
  }

  /// What the entry of a deleted item has, too.
  private static let ownOfItem: [String: @Sendable (Change) -> FieldValue] = [
    "id": { .number($0.itemID.rawValue) },
    "feed_id": { .number($0.feedID.rawValue) },
    "guid": { FieldValue($0.item?.guid ?? $0.guid) },
  ]

  private static let ownOfFeed: [String: @Sendable (FeedChange) -> FieldValue] = [
    "feed_id": { .number($0.feedID.rawValue) },
    "feed_url": { .text(WebAddress.redacted($0.url)) },
    "feed": { FieldValue($0.feed?.title) },
    "title": { FieldValue($0.feed?.title) },
  ]
}
