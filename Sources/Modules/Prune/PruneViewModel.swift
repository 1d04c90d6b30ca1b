public import NewsCore

/// Feeds that lose items.
public struct PruneViewModel: RecordListContent {
  public typealias Record = PruneReport.Entry

  public var lines: [RecordLine<PruneReport.Entry>]
  public var notes: [DisplayText]
  public var rowCount: Int { lines.count }
}
