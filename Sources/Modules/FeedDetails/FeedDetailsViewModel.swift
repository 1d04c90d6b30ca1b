public import NewsCore

/// A feed with its settings and its health, for display and for editing.
public struct FeedDetailsViewModel: ScreenContent {
  public struct Setting: Hashable, Sendable {
    public var name: String
    public var help: String
    /// The feed's own value; nil: the general configuration applies.
    public var value: String?

    public init(name: String, help: String, value: String?) {
      self.name = name
      self.help = help
      self.value = value
    }
  }

  public var feed: Feed
  public var settings: [Setting]
  public var facts: [StatusViewModel.Fact]
  /// The failure and what to do about it; nil: the feed works.
  public var failure: FailureReport.Entry?
  public var notes: [DisplayText] = []
  public var rowCount: Int { settings.count }
}
