import NewsToolbox

/// A subscription: the feed's URL, the user's title and folder for it, its settings and its fetch state.
public struct Feed: Hashable, Sendable, Identifiable {
  /// Assigned by the store; never reused after removal.
  public struct ID: Hashable, Comparable, Sendable {
    public var rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
    public static func < (a: ID, b: ID) -> Bool { a.rawValue < b.rawValue }
  }

  public var id: ID
  public var url: String
  /// The user's title, else the feed's own, else its URL.
  public var title: String
  /// The feed's home page.
  public var siteURL: String?
  /// Folder names from the outermost to the innermost, joined with `/`; nil: no folder.
  public var folder: String?
  /// Place in the user's order, 1-based and without gaps.
  public var position: Int
  public var itemCount: Int
  public var unreadCount: Int
  public var settings: FeedSettings
  public var fetchState: FetchState

  public init(
    id: ID,
    url: String,
    title: String,
    siteURL: String? = nil,
    folder: String? = nil,
    position: Int,
    itemCount: Int = 0,
    unreadCount: Int = 0,
    settings: FeedSettings = FeedSettings(),
    fetchState: FetchState = .unfetched
  ) {
    self.id = id
    self.url = url
    self.title = title
    self.siteURL = siteURL
    self.folder = folder
    self.position = position
    self.itemCount = itemCount
    self.unreadCount = unreadCount
    self.settings = settings
    self.fetchState = fetchState
  }
}

/// A subscription that is not stored yet.
public struct NewFeed: Hashable, Sendable {
  public var url: String
  /// The user's own title; nil: the feed's title is used.
  public var title: String?
  public var siteURL: String?
  public var folder: String?
  public var settings: FeedSettings

  public init(
    url: String,
    title: String? = nil,
    siteURL: String? = nil,
    folder: String? = nil,
    settings: FeedSettings = FeedSettings()
  ) {
    self.url = url
    self.title = title
    self.siteURL = siteURL
    self.folder = folder
    self.settings = settings
  }
}

extension Feed {
  /// True for a feed that `newsd ingest` fills. It has nothing to fetch, so it is never due, and other readers cannot
  /// subscribe to it.
  public var isIngested: Bool { url.hasPrefix(bytesOf: "ingest:") }

  /// True unless the feed is paused or ingested.
  public var isPolled: Bool { !isIngested && settings.isPaused != true }
}

extension Feed {
  /// A copy without user name and password in the URL, for lists and logs.
  var redacted: Feed {
    var feed = self
    feed.url = WebAddress.redacted(url)
    return feed
  }

  /// A copy for exports that others may read: no passwords in title, URL and proxy; no headers, credential, client
  /// certificate or `secretsFor`.
  public var withoutSecrets: Feed {
    var feed = redacted
    feed.title = WebAddress.redacted(title)
    feed.settings.headers = nil
    feed.settings.credential = nil
    feed.settings.clientCertificate = nil
    feed.settings.secretsFor = nil
    feed.settings.proxy = settings.proxy.map(WebAddress.redacted)
    return feed
  }
}
