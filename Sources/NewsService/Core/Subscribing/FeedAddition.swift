/// Options for adding a feed.
public struct FeedAdditionOptions: Hashable, Sendable {
  /// The user's own title; nil: the feed's title.
  public var title: String?
  public var folder: String?
  public var settings: FeedSettings
  /// Number of the feed to add from a page with several, 1-based.
  public var pick: Int?
  /// Adds the feed even if it cannot be reached.
  public var isForced: Bool
  /// The directory for relative paths.
  public var directory: String?
  /// Only fetches from public addresses and those of `network.allow`, for an address that no user typed.
  public var isPublicOnly: Bool
  /// The same, even if `network.allow_private` is set.
  public var isListedOnly: Bool

  public init(
    title: String? = nil,
    folder: String? = nil,
    settings: FeedSettings = FeedSettings(),
    pick: Int? = nil,
    isForced: Bool = false,
    directory: String? = nil,
    isPublicOnly: Bool = false,
    isListedOnly: Bool = false
  ) {
    self.title = title
    self.folder = folder
    self.settings = settings
    self.pick = pick
    self.isForced = isForced
    self.directory = directory
    self.isPublicOnly = isPublicOnly
    self.isListedOnly = isListedOnly
  }
}

/// The result of adding a feed.
public enum FeedAddition: Sendable {
  /// Subscribed; the items of the response are stored.
  case added(Feed, items: Int)
  /// Subscribed although the feed could not be reached (`isForced`).
  case addedUnreached(Feed, RefreshFailure)
  /// The page has several feeds; nothing was added.
  case choices(page: String, [DiscoveredFeed])
}

/// Why no feed was added.
public typealias FeedAdditionError = CodedError<FeedAdditionErrorCode>

/// The reasons for which no feed is added.
public enum FeedAdditionErrorCode: Hashable, Sendable {
  /// The text is not a URL that newsd can fetch.
  case badURL
  /// This feed has the URL already.
  case duplicate(Feed)
  case unreachable
  /// The response is neither a feed nor a page with links to feeds.
  case notAFeed
  /// The page has fewer feeds than `pick`.
  case noSuchChoice([DiscoveredFeed])
  case store(StoreError.Code)
  case cancelled
}
