/// How a feed is to be added.
public struct FeedAdditionOptions: Hashable, Sendable {
  /// The user's own title; nil: the feed's.
  public var title: String?
  public var folder: String?
  public var settings: FeedSettings
  /// Which feed of a page that has several, counted from 1.
  public var pick: Int?
  /// Also adds a feed that cannot be reached.
  public var isForced: Bool
  /// The directory for relative paths.
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

/// The result of adding a feed.
public enum FeedAddition: Sendable {
  /// Subscribed; the items of the response are stored.
  case added(Feed, items: Int)
  /// Subscribed although it could not be reached (`isForced`).
  case addedUnreached(Feed, RefreshFailure)
  /// The page has several feeds; nothing was added.
  case choices(page: String, [DiscoveredFeed])
}

/// Why no feed was added.
public struct FeedAdditionError: Error, Sendable, CustomStringConvertible {
  public enum Code: Hashable, Sendable {
    /// The typed text is not a URL that can be fetched.
    case badURL
    /// The named feed has that URL already.
    case duplicate(Feed)
    case unreachable
    /// The response is not a feed and names none.
    case notAFeed
    /// The page has fewer feeds than the number picked.
    case noSuchChoice([DiscoveredFeed])
    case store(StoreError.Code)
    case cancelled
  }
  public let code: Code
  /// Says what was tried, what happened and what to do.
  public let message: String

  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }
  public var description: String { message }
}
