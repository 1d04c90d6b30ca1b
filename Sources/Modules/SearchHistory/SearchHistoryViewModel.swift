/// Recent searches, newest first.
public struct SearchHistoryViewModel: RecordListContent {
  public typealias Record = String

  public var isSearch: Bool { true }
  public var lines: [RecordLine<String>]
  public var nothing: DisplayText? { DisplayText("no searches yet") }
  public var rowCount: Int { lines.count }
}
