public import NewsCore

/// The sessions, the last seen first, or a note on a change.
public struct WebSessionsViewModel: RecordListContent {
  public typealias Record = WebSession

  public var lines: [RecordLine<WebSession>] = []
  public var notes: [DisplayText] = []
  public var rowCount: Int { lines.count }
}
