public import NewsCore

/// An operation on the settings of one feed, which is given by id, URL or title.
public struct FeedDetailsRoute: Hashable, Sendable {
  public var feed: String
  /// The feed's new URL; nil: the URL stays.
  public var url: String?
  /// New values by the settings' names, as typed; an empty value restores the general configuration. Settings
  /// that are not listed stay.
  public var values: [String: String]

  public init(feed: String, url: String? = nil, values: [String: String] = [:]) {
    self.feed = feed
    self.url = url
    self.values = values
  }
}

/// Converts feed settings to and from text, with the names and units of `newsd feeds set`.
public protocol FeedSettingWording: Sendable {
  /// Returns all settings by name, each with its value in `settings`, or nil if the feed does not set it.
  /// Secrets are masked, so the values must not be passed to `apply`.
  func words(of settings: FeedSettings) -> [FeedDetailsViewModel.Setting]
  /// Changes settings. Throws a usage error that names the setting, if a value cannot be read.
  func apply(_ values: [String: String], to settings: inout FeedSettings) throws(UserMessage)
}
