public import NewsCore

/// The number of removed items for each feed.
public struct PruneViewModel: RecordListContent {
  public typealias Record = PruneReport.Entry

  public var lines: [RecordLine<PruneReport.Entry>]
  public var notes: [DisplayText]
  public var rowCount: Int { lines.count }
}
