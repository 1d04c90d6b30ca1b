/// The settings of a feed that differ from the general configuration, a line each.
public struct FeedSettingsViewModel: ScreenContent {
  public var lines: [DisplayText] = []
  public var warnings: [DisplayText] = []
  public var rowCount: Int { lines.count }
}
