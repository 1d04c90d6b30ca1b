/// Changes the settings of feeds. If one of several changes is invalid, none is applied.
public struct FeedSettingsEditor: Sendable {
  /// Settings that contradict each other.
  public struct Problem: Error, Hashable, Sendable {
    public var message: String
  }

  private let feeds: any FeedKeeping
  private let moves: MoveEditor
  private let general: ClosedRange<Int64>

  /// `general` are the general bounds of the poll interval, in seconds.
  public init(
    feeds: any FeedKeeping,
    moves: MoveEditor,
    general: ClosedRange<Int64>
  ) {
    self.feeds = feeds
    self.moves = moves
    self.general = general
  }

  /// Returns the settings of a feed.
  public func settings(of name: String) async throws(StoreError) -> FeedSettings {
    try await feeds.feed(named: name).settings
  }

  /// Returns the settings that feeds inherit when they are put into a folder.
  public func settings(ofFolder folder: String) async throws(StoreError) -> FeedSettings {
    try await feeds.folderSettings(folder)
  }

  /// Changes a feed's URL, its settings, or both. `name` is the id, URL or title of the feed. `url` was
  /// checked. Returns true if it has another origin, to which the feed's secrets are not sent.
  public func change(_ name: String, url: String?, _ changes: [FeedSettingChange]) async throws -> Bool {
    let feed = try await feeds.feed(named: name)
    var settings = try Self.applying(changes, to: feed.settings)
    var keepsSecretsBack = false
    if let url {
      settings = try Self.applying(changes, to: try await moves.setURL(of: feed.id, to: url).settings)
      keepsSecretsBack = settings.secretsFor != nil
    }
    if !changes.isEmpty { try await feeds.update(feed.id, settings: settings, general: general) }
    return keepsSecretsBack
  }

  /// Changes the settings of every feed in a folder and its subfolders, and the settings that feeds inherit
  /// when they are put into the folder. Changes nothing if the folder has no feeds. Returns the number of
  /// feeds.
  public func change(folder: String, _ changes: [FeedSettingChange]) async throws -> Int {
    let inside = try await feeds.feeds().filter { feed in
      feed.folder.map { FolderPath.isInside($0, folder) } ?? false
    }
    let changed = try inside.map { ($0.id, try Self.applying(changes, to: $0.settings)) }
    guard !changed.isEmpty else { return 0 }
    let kept = try Self.applying(changes, to: try await feeds.folderSettings(folder))
    for (id, settings) in changed { try await feeds.update(id, settings: settings, general: general) }
    try await feeds.keep(kept, forFolder: folder)
    return inside.count
  }

  /// Returns the settings with the changes applied in order.
  public static func applying(
    _ changes: [FeedSettingChange],
    to settings: FeedSettings
  ) throws(Problem) -> FeedSettings {
    var settings = settings
    for change in changes { change.apply(to: &settings) }
    if let least = settings.minimumInterval, let most = settings.maximumInterval, least > most {
      throw Problem(message: "minimum-interval is longer than maximum-interval")
    }
    return settings
  }
}
