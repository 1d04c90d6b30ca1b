public import NewsCore

/// Shows and sets a feed's identity policy, by which newsd tells its items apart.
public struct FeedIdentityInteractor: Interactor {
  private let feeds: any FeedReading
  private let identities: any FeedIdentityKeeping
  private let presenter = FeedIdentityPresenter()

  public init(feeds: any FeedReading, identities: any FeedIdentityKeeping) {
    self.feeds = feeds
    self.identities = identities
  }

  public func respond(to route: FeedIdentityRoute, emit: @escaping Emit<FeedIdentityViewModel>) async throws {
    let feed = try await feeds.feed(named: route.feed)
    if let policy = route.policy {
      try await identities.setIdentity(of: feed.id, to: policy == "auto" ? nil : policy)
    }
    try emit(presenter.present(try await identities.identity(of: feed.id)))
  }
}
