public import NewsCore

/// All versions of an item.
public struct ItemVersionsViewModel: RecordListContent {
  public typealias Record = VersionRecord

  public var lines: [RecordLine<VersionRecord>]
  public var rowCount: Int { lines.count }
}

/// One version of an item, as a record.
public struct VersionRecord: Hashable, Sendable {
  public var itemID: NewsItem.ID
  public var number: Int
  /// When an edit replaced this version; nil: it is the current one.
  public var replaced: Timestamp?
  public var title: String
  public var text: String
}
