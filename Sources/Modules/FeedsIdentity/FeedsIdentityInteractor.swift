public import NewsCore

/// Shows and sets a feed's identity policy, by which newsd tells its items apart.
public struct FeedsIdentityInteractor: Interactor {
  private let store: any FeedKeeping

  public init(store: any FeedKeeping) { self.store = store }

  /// Shows the policy of a feed, which is named by id, URL or title. Before, sets it to `policy`: one of
  /// `FeedIdentity.policies`, or `auto` to choose by the feed's history; nil: it does not change.
  public func respond(
    to request: (feed: String, policy: String?),
    emit: @escaping Emit<RecordList<FeedIdentity>>
  ) async throws {
    let feed = try await store.feed(named: request.feed)
    if let policy = request.policy {
      try await store.setIdentity(of: feed.id, to: policy == "auto" ? nil : policy)
    }
    try emit(FeedsIdentityPresenter().present(try await store.identity(of: feed.id)))
  }
}

/// Formats the policy, and whether the user or newsd chose it.
struct FeedsIdentityPresenter {
  func present(_ identity: FeedIdentity) -> Container<RecordList<FeedIdentity>> {
    let origin = identity.isChosenByUser ? "chosen by you" : "chosen from its history"
    return .list([RecordLine(identity, columns: [identity.policy, origin])])
  }
}
