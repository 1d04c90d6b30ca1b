/// How a feed is to be added.
public struct FeedAdditionOptions: Sendable {
  /// The user's own title; nil: the feed's.
  public var title: String?
  public var folder: String?
  public var settings: FeedSettings
  /// Which of several feeds of a page, counted from 1.
  public var pick: Int?
  /// Adds a feed that cannot be reached.
  public var isForced: Bool
  /// What relative paths are resolved against.
  public var directory: String?

  public init(
    title: String? = nil,
    folder: String? = nil,
    settings: FeedSettings = FeedSettings(),
    pick: Int? = nil,
    isForced: Bool = false,
    directory: String? = nil
  ) {
    self.title = title
    self.folder = folder
    self.settings = settings
    self.pick = pick
    self.isForced = isForced
    self.directory = directory
  }
}

/// What came of adding a feed.
public enum FeedAddition: Sendable {
  /// Subscribed, and what the same response held is stored.
  case added(Feed, items: Int)
  /// Subscribed although it could not be reached, as the user insisted.
  case addedUnreached(Feed, RefreshFailure)
  /// The page has several feeds; nothing was added.
  case choices(page: String, [DiscoveredFeed])
}

/// Why no feed was added.
public struct FeedAdditionError: Error, Sendable, CustomStringConvertible {
  public enum Code: Hashable, Sendable {
    /// What was typed is no URL that can be fetched.
    case badURL
    /// The named feed has that URL already.
    case duplicate(Feed)
    case unreachable
    /// Something answered, but it is no feed and points to none.
    case notAFeed
    /// There are not that many feeds to pick from.
    case noSuchChoice([DiscoveredFeed])
    case store(StoreError.Code)
    case cancelled
  }
  public let code: Code
  /// What was tried, what happened, what to do.
  public let message: String

  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }
  public var description: String { message }
}
