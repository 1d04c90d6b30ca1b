/// Lists, adopts and reverts permanent redirects of subscriptions.
public struct MoveEditor: Sendable {
  private let subscriptions: any FeedKeeping
  private let store: any ArrivalStoring
  private let clock: any WallClock

  public init(subscriptions: any FeedKeeping, store: any ArrivalStoring, clock: any WallClock) {
    self.subscriptions = subscriptions
    self.store = store
    self.clock = clock
  }

  /// A permanent redirect: followed but not adopted, or adopted and revertible. Its URLs are for display: they contain
  /// no user names and passwords.
  public struct Move: Hashable, Sendable {
    public var feed: Feed
    public var from: String
    public var to: String
    public var isAdopted: Bool
    /// When the redirect was first seen, or when it was adopted.
    public var time: Timestamp
    /// Number of polls that received this redirect; 0 for an adopted one.
    public var polls: Int
    /// True: the feed has credentials or headers that are not sent to `to`.
    public var withholdsCredentials = false
  }

  /// Returns all moves, in the user's order of feeds.
  public func moves() async throws(StoreError) -> [Move] {
    try await subscriptions.feeds().flatMap { feed -> [Move] in
      var moves: [Move] = []
      if let moved = feed.fetchState.movedTo {
        moves.append(
          Move(
            feed: feed.redacted,
            from: WebAddress.redacted(feed.url),
            to: WebAddress.redacted(moved.url),
            isAdopted: false,
            time: moved.firstSeen,
            polls: moved.polls
          )
        )
      }
      if let former = feed.fetchState.movedFrom {
        moves.append(
          Move(
            feed: feed.redacted,
            from: WebAddress.redacted(former.url),
            to: WebAddress.redacted(feed.url),
            isAdopted: true,
            time: former.changed,
            polls: 0
          )
        )
      }
      return moves
    }
  }

  /// Applies a pending redirect now: the new address becomes the feed's URL. Items and state are kept.
  /// Returns nil when the feed has not moved. Throws `duplicateFeed` when another subscription has that URL.
  public func apply(_ id: Feed.ID) async throws(StoreError) -> Move? {
    let feed = try await store.feed(id)
    guard let moved = feed.fetchState.movedTo else { return nil }
    return try await change(feed, to: moved.url)
  }

  /// Restores the URL that the feed had before the last adopted move. Returns nil when there is none to
  /// revert. Throws `duplicateFeed` when another subscription has that URL.
  public func revert(_ id: Feed.ID) async throws(StoreError) -> Move? {
    let feed = try await store.feed(id)
    guard let former = feed.fetchState.movedFrom else { return nil }
    return try await change(feed, to: former.url)
  }

  /// Gives the feed a URL that the user typed. Items, title and settings are kept. Validators, redirects and
  /// failures of the former URL are deleted, so the feed is due at once. Secrets remain bound to the origin
  /// that they were set for. `url` is the result of `TypedAddress.url`. Throws `duplicateFeed` when another
  /// subscription has that URL, `badQuery` for an ingested feed.
  public func setURL(of id: Feed.ID, to url: String) async throws(StoreError) -> Feed {
    let feed = try await store.feed(id)
    guard url != feed.url else { return feed }
    guard !feed.isIngested else {
      throw StoreError(
        code: .badQuery,
        message: "there is no URL to poll for '\(feed.title)'; 'newsd ingest' fills it"
      )
    }
    try await subscriptions.update(feed.id, url: url)
    var settings = feed.settings
    settings.allowsLocalOrigin = Self.isLocalByItself(url) ? true : nil
    settings.bindSecrets(for: feed.url, from: url)
    if settings.secretsFor == WebAddress(url)?.origin { settings.secretsFor = nil }
    if settings != feed.settings { try await subscriptions.update(feed.id, settings: settings) }
    let now = clock.now()
    _ = try await store.commit([RefreshRecord(feedID: feed.id, state: FetchState(), parsed: nil, time: now)])
    return try await store.feed(feed.id)
  }

  /// True if a typed URL may be exempt from the address guard before its first fetch: a file, a program, or a host
  /// whose address does not depend on DNS.
  private static func isLocalByItself(_ url: String) -> Bool {
    guard let address = WebAddress(url), address.scheme != "file" else { return true }
    return address.host == "localhost" || address.host.utf8.first == UInt8(ascii: "[")
      || address.host.utf8.allSatisfy {
        $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
  }

  private func change(_ feed: Feed, to url: String) async throws(StoreError) -> Move {
    let now = clock.now()
    let isRevert = feed.fetchState.movedFrom?.url == url
    try await subscriptions.adopt(url, for: feed)
    var state = feed.fetchState
    state.movedTo = nil
    state.rejectedMove = isRevert ? feed.url : nil
    state.movedFrom = isRevert ? nil : FormerURL(url: feed.url, changed: now)
    _ = try await store.commit([RefreshRecord(feedID: feed.id, state: state, parsed: nil, time: now)])
    let current = try await store.feed(feed.id)
    return Move(
      feed: current.redacted,
      from: WebAddress.redacted(feed.url),
      to: WebAddress.redacted(url),
      isAdopted: true,
      time: now,
      polls: 0,
      withholdsCredentials: feed.hasCredentials && !WebAddress.canReceiveCredentials(url, from: feed.url)
    )
  }
}

extension FeedKeeping {
  /// Changes the URL of `feed`. If the origin changes, the exemption from the address guard ends, because it was for
  /// the typed origin, and secrets remain bound to the origin that they were set for.
  func adopt(_ url: String, for feed: Feed) async throws(StoreError) {
    try await update(feed.id, url: Self.withCredentials(of: feed.url, url))
    guard WebAddress(url)?.origin != WebAddress(feed.url)?.origin else { return }
    var settings = feed.settings
    settings.allowsLocalOrigin = nil
    settings.bindSecrets(for: feed.url, from: url)
    if settings.secretsFor == WebAddress(url)?.origin { settings.secretsFor = nil }
    guard settings != feed.settings else { return }
    try await update(feed.id, settings: settings)
  }

  /// Returns `url` with the user information of `former`, if `url` may receive it. Redirect targets lack user
  /// information.
  private static func withCredentials(of former: String, _ url: String) -> String {
    guard let user = WebAddress(former)?.userInfo, var to = WebAddress(url), to.userInfo == nil,
      WebAddress.canReceiveCredentials(url, from: former)
    else { return url }
    to.userInfo = user
    return to.text
  }
}

extension Feed {
  /// True when the URL or the settings contain credentials, headers or certificates, which are for one origin only.
  var hasCredentials: Bool { settings.holdsSecrets || WebAddress(url)?.userInfo != nil }
}
