/// The result of ingesting items.
public struct IngestViewModel: ScreenContent {
  public var inserted: Int
  public var updated: Int
  public var known: Int
  public var notes: [DisplayText]
  public var warnings: [DisplayText]
  public var rowCount: Int { inserted + updated + known }
}
