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
      + ItemField.jsonColumns.filter { $0 != .seq }.map { field in
        Column(field.rawValue, isTime: field.isTime) { value(field, of: $0) }
      }
      + [
        .text("folder") { entry in if case .feed(let change) = entry { change.feed?.folder } else { nil } },
        .text("site_url") { entry in if case .feed(let change) = entry { change.feed?.siteURL } else { nil }
        },
      ],
    defaults: ["seq", "kind", "id", "feed_id", "title"],
    identity: "id"
  )

  private static func value(_ field: ItemField, of entry: LogEntry) -> FieldValue {
    switch entry {
    case .item(let change):
      switch field {
      case .id: .number(change.itemID.rawValue)
      case .feedID: .number(change.feedID.rawValue)
      case .guid: FieldValue(change.item?.guid ?? change.guid)
      default: change.item.map(field.value(ofItem:)) ?? .none
      }
    case .feed(let change):
      switch field {
      case .feedID: .number(change.feedID.rawValue)
      case .feedURL: .text(WebAddress.redacted(change.url))
      case .feed, .title: FieldValue(change.feed?.title)
      default: .none
      }
    }
  }
}
