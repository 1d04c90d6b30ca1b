package import NewsCore
import NewsToolbox
import Synchronization

/// The requests that this node makes for its accounts, claimed in the schema that all nodes share: one node at a time asks an
/// address, for all accounts that poll it with the same request.
package final class RequestClaims: Sendable {
  private struct State {
    /// Number of feeds in refresh, by the claims of their requests.
    var uses: [Feed.ID: Int] = [:]
    /// The questions to the server that have no answer yet.
    var claiming: [Feed.ID: Task<FeedClaim, Never>] = [:]
  }

  private enum Step {
    case join
    case wait(Task<FeedClaim, Never>)
    case refuse
  }

  private let claims: NodeClaims
  private let prepare: @Sendable () async -> Void
  private let state = Mutex(State())

  /// `claims` are those of the schema that all nodes share, and `prepare` makes its tables.
  package init(_ claims: NodeClaims, prepare: @escaping @Sendable () async -> Void = {}) {
    self.claims = claims
    self.prepare = prepare
  }

  /// Claims a request, as `FeedClaiming.claim` does with a feed. Feeds of several accounts can have the claim at once. The seconds
  /// are those since a request of another node, or of this one before it joined anew: the documents of the others are handed
  /// over to all accounts.
  fileprivate func claim(_ request: Feed.ID) async -> FeedClaim {
    while true {
      switch step(request) {
      case .join: return .claimed(secondsSinceRequest: claims.secondsSinceForeignRequest(for: request))
      case .refuse: return .busy
      case .wait(let task): if case .busy = await task.value { return .busy }
      }
    }
  }

  private func step(_ request: Feed.ID) -> Step {
    let isValid = claims.claim(of: request).map { $0.node == claims.lease.number } ?? false
    return state.withLock { state in
      if let uses = state.uses[request] {
        if isValid {
          state.uses[request] = uses + 1
          return .join
        }
        if uses > 0 { return .refuse }
        state.uses[request] = nil
      }
      if let task = state.claiming[request] { return .wait(task) }
      let task = Task {
        await prepare()
        let claim = await claims.claim(request)
        self.state.withLock { state in
          state.claiming[request] = nil
          if case .claimed = claim { state.uses[request] = 0 }
        }
        return claim
      }
      state.claiming[request] = task
      return .wait(task)
    }
  }

  fileprivate func release(_ request: Feed.ID) {
    state.withLock { state in
      let left = (state.uses[request] ?? 1) - 1
      state.uses[request] = left > 0 ? left : nil
      // Under the lock, so that no claim that begins now is given back.
      if left <= 0 { claims.release(request) }
    }
  }
}

/// Claims the feeds of one account: first the request, then the feed in the account's store, which fences what is stored.
package final class AccountClaims: FeedClaiming {
  private let account: String
  private let requests: RequestClaims
  private let own: @Sendable () -> NodeClaims?
  private let feed: @Sendable (Feed.ID) async throws(StoreError) -> Feed
  /// The claimed requests by the feeds in refresh.
  private let claimed = Mutex<[Feed.ID: Feed.ID]>([:])
  /// The read of a feed that began last.
  private let reading = Mutex<Task<Result<Feed, StoreError>, Never>?>(nil)

  /// `own` are the claims of the account's store, and `feed` reads a feed from it.
  package init(
    account: String,
    requests: RequestClaims,
    own: @escaping @Sendable () -> NodeClaims?,
    feed: @escaping @Sendable (Feed.ID) async throws(StoreError) -> Feed
  ) {
    self.account = account
    self.requests = requests
    self.own = own
    self.feed = feed
  }

  package func claim(_ id: Feed.ID) async -> FeedClaim {
    guard let own = own() else { return .busy }
    let feed: Feed
    switch await read(id, own) {
    case .success(let read): feed = read
    case .failure(let error): return error.code == .noSuchFeed ? .busy : .unreadable
    }
    let request = Self.request(of: feed, account)
    guard case .claimed(let seconds) = await requests.claim(request) else { return .busy }
    guard case .claimed = await own.claim(id) else {
      requests.release(request)
      return .busy
    }
    claimed.withLock { $0[id] = request }
    own.whenGivenUp { [weak self] in self?.releaseAll() }
    return .claimed(secondsSinceRequest: seconds)
  }

  /// Reads a feed after those before it, so that after a failure none of them waits for the locked table, too.
  private func read(_ id: Feed.ID, _ own: NodeClaims) async -> Result<Feed, StoreError> {
    let task = reading.withLock { reading in
      let former = reading
      let task = Task<Result<Feed, StoreError>, Never> { [feed] in
        _ = await former?.value
        return await own.read { () async throws(StoreError) in try await feed(id) }
      }
      reading = task
      return task
    }
    return await task.value
  }

  package func release(_ id: Feed.ID) {
    own()?.release(id)
    if let request = claimed.withLock({ $0.removeValue(forKey: id) }) { requests.release(request) }
  }

  /// Lets other nodes make the requests of feeds whose refresh does not end.
  private func releaseAll() {
    let former = claimed.withLock { claimed in
      defer { claimed = [:] }
      return claimed
    }
    for request in former.values { requests.release(request) }
  }

  /// The claim under which the request for the feed is sent; nil if the feed is not claimed.
  package func request(of id: Feed.ID) -> Feed.ID? { claimed.withLock { $0[id] } }

  /// The number under which the table of claims has a request. Accounts that share an address share the number. A
  /// cryptographic hash, because another URL with the same number would delay the polls of this one.
  private static func request(of feed: Feed, _ account: String) -> Feed.ID {
    // The first request is each account's own.
    let isFirst = feed.fetchState.lastFetched == nil
    let name = isFirst ? nil : feed.sharedAddress
    let bytes = (name ?? "\(account)\n\(feed.id.rawValue)").utf8
    let number = SecureHash.sha256.digest(bytes).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Feed.ID(rawValue: NodeLease.leastRequest | Int64(number >> 3))
  }
}
