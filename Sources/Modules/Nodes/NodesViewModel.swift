public import NewsCore

/// The processes that share a store.
public struct NodesViewModel: RecordListContent {
  public typealias Record = StoreNode

  public var lines: [RecordLine<StoreNode>] = []
  public var notes: [DisplayText] = []
  public var rowCount: Int { lines.count }
}
