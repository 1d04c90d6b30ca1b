public import NewsCore

/// A request to show or change settings of feeds.
public enum FeedSettingsRoute: Hashable, Sendable {
  /// Shows the settings of a feed, named by id, URL or title.
  case show(feed: String)
  /// Shows the settings that feeds inherit when they are put into a folder.
  case showFolder(String)
  /// Changes a feed's settings and, if `url` is given, its URL.
  case change(feed: String, url: String?, [FeedSettingChange])
  /// Changes the settings of every feed in a folder and its subfolders, and the settings that feeds
  /// inherit when they are put into the folder.
  case changeFolder(String, [FeedSettingChange])
}
