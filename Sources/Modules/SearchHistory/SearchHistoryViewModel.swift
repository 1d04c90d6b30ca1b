/// Recent searches, newest first.
public struct SearchHistoryViewModel: RecordListContent {
  public typealias Record = String

  public var isSearch: Bool { true }
  public var lines: [RecordLine<String>]
  public var rowCount: Int { lines.count }
}
