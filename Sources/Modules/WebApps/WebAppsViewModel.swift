public import NewsCore

/// The app passwords; a new one with its password as text; or a note on a change.
public struct WebAppsViewModel: RecordListContent {
  public typealias Record = AppPassword

  public var lines: [RecordLine<AppPassword>] = []
  public var notes: [DisplayText] = []
  public var rowCount: Int { lines.count }
}
