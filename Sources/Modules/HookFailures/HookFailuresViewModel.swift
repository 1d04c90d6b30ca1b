public import NewsCore

/// The deliveries that were given up.
public struct HookFailuresViewModel: RecordListContent {
  public typealias Record = FailedHookEntry

  public var lines: [RecordLine<FailedHookEntry>] = []
  public var rowCount: Int { lines.count }
}
