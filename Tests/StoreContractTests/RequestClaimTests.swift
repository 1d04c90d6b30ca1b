import NewsCore
import NewsPostgres
import NewsStoresShared
import Synchronization
import TestSupport
import Testing

/// Nodes that poll the feeds of several accounts.
@Suite(.timeLimit(.minutes(3))) struct `Requests that nodes make for accounts` {
  /// A node, with the claims of two accounts that have the same addresses under different ids.
  private struct Node {
    let shared: PostgresStore
    let accounts: [AccountClaims]
    let stores: [PostgresStore]

    init(_ shared: String, _ accounts: [String]) async throws {
      func open(_ address: String, _ lease: NodeLease? = nil) throws -> PostgresStore {
        PostgresStore(try StoreURI(address), lease: lease) { (_, _) throws(StoreError) in }
      }
      let node = try open(shared)
      try await node.open()
      let requests = RequestClaims(node.claims)
      self.shared = node
      stores = try accounts.map { try open($0, node.node) }
      self.accounts = zip(["anna", "bob"], stores).map { name, store in
        AccountClaims(account: name, requests: requests) {
          store.claims
        } feed: { (id) async throws(StoreError) in
          try await store.feed(id)
        }
      }
    }

    func close() async {
      for store in stores + [shared] { await store.close() }
    }

    /// Sends a request for a claimed feed of the first account.
    func ask(_ feed: Feed.ID) async throws {
      let answer = try await entry(for: accounts[0].request(of: feed))
      guard case .acquired = answer else {
        Issue.record("\(answer)")
        return
      }
    }

    func entry(for claim: Feed.ID?) async throws -> SiteEntry {
      let request = SiteRequest(limit: 9, spacing: 0, isSpaced: false, now: 0, feed: claim)
      var entry = shared.sites.acquire("a", besides: [], request)
      try await eventually {
        guard case .undecided = entry else { return true }
        entry = shared.sites.acquire("a", besides: [], request)
        return false
      }
      return entry
    }
  }

  private let now = Timestamp(seconds: 1)

  /// Two nodes on two accounts. Each account has the address `http://a/`, which was polled before, as its last feed.
  private func setUp() async throws -> (one: Node, two: Node, feeds: [Feed.ID])? {
    guard let database = TestDatabase.shared else { return nil }
    let (shared, accounts) = (database.newStore(), [database.newStore(), database.newStore()])
    let one = try await Node(shared, accounts)
    _ = try await one.stores[1].add(NewFeed(url: "http://other/"), at: now)
    var feeds: [Feed.ID] = []
    for store in one.stores {
      feeds.append(try await store.add(NewFeed(url: "http://a/"), at: now).id)
      try await poll(feeds[feeds.count - 1], store)
    }
    return (one, try await Node(shared, accounts), feeds)
  }

  private func poll(_ feed: Feed.ID, _ store: PostgresStore) async throws {
    var state = FetchState.unfetched
    state.lastFetched = now
    _ = try await store.commit([RefreshRecord(feedID: feed, state: state, parsed: nil, time: now)])
  }

  @Test func `One node at a time may ask an address, for all accounts`() async throws {
    guard let (one, two, feeds) = try await setUp() else { return }
    #expect(await one.accounts[0].claim(feeds[0]) == .claimed(secondsSinceRequest: nil))
    // The other account has the document from the same request. No other node may ask for it.
    #expect(await two.accounts[1].claim(feeds[1]) == .busy)
    #expect(await one.accounts[1].claim(feeds[1]) == .claimed(secondsSinceRequest: nil))
    one.accounts[0].release(feeds[0])
    #expect(await two.accounts[0].claim(feeds[0]) == .busy)
    one.accounts[1].release(feeds[1])
    try await eventually { await two.accounts[1].claim(feeds[1]) != .busy }
    #expect(await one.accounts[0].claim(feeds[0]) == .busy)
    await two.close()
    #expect(await one.accounts[0].claim(feeds[0]) == .claimed(secondsSinceRequest: nil))
    await one.close()
  }

  @Test func `Another node learns when the address was asked; the same one has the document`() async throws {
    guard let (one, two, feeds) = try await setUp() else { return }
    _ = await one.accounts[0].claim(feeds[0])
    try await one.ask(feeds[0])
    one.accounts[0].release(feeds[0])
    #expect(await one.accounts[1].claim(feeds[1]) == .claimed(secondsSinceRequest: nil))
    one.accounts[1].release(feeds[1])
    var found = FeedClaim.busy
    try await eventually {
      found = await two.accounts[1].claim(feeds[1])
      return found != .busy
    }
    guard case .claimed(let seconds?) = found else {
      Issue.record("\(found)")
      return
    }
    #expect((0...60).contains(seconds))
    await one.close()
    await two.close()
  }

  @Test func `A request whose claim was given up while it waited is not sent`() async throws {
    guard let (one, two, feeds) = try await setUp() else { return }
    _ = await one.accounts[0].claim(feeds[0])
    let request = try #require(one.accounts[0].request(of: feeds[0]))
    one.accounts[0].release(feeds[0])
    #expect(try await one.entry(for: request) == .refused)
    await one.close()
    await two.close()
  }

  @Test func `A node that has claimed an address without asking it knows that another one did`() async throws
  {
    guard let (one, two, feeds) = try await setUp() else { return }
    _ = await one.accounts[0].claim(feeds[0])
    try await one.ask(feeds[0])
    one.accounts[0].release(feeds[0])
    func isForeign(_ claim: FeedClaim) -> Bool {
      if case .claimed(let seconds?) = claim { (0...60).contains(seconds) } else { false }
    }
    // An account may poll before the first node has handed the document over to it: at once, and later.
    try await eventually { isForeign(await two.accounts[0].claim(feeds[0])) }
    #expect(isForeign(await two.accounts[1].claim(feeds[1])))
    two.accounts[0].release(feeds[0])
    two.accounts[1].release(feeds[1])
    try await eventually { isForeign(await two.accounts[1].claim(feeds[1])) }
    two.accounts[1].release(feeds[1])
    // The node that asked has the document for all of its accounts, also if others had the claim since.
    try await eventually { await one.accounts[1].claim(feeds[1]) == .claimed(secondsSinceRequest: nil) }
    await one.close()
    await two.close()
  }

  @Test func `Accounts of a node that claim an address at the same time have one claim`() async throws {
    guard let (one, two, feeds) = try await setUp() else { return }
    async let first = one.accounts[0].claim(feeds[0])
    async let second = one.accounts[1].claim(feeds[1])
    #expect(await [first, second].allSatisfy { $0 == .claimed(secondsSinceRequest: nil) })
    #expect(await two.accounts[0].claim(feeds[0]) == .busy)
    await one.close()
    await two.close()
  }

  @Test func `The accounts of a node have its lease, and a closed account gives its claims back`()
    async throws
  {
    guard let (one, two, feeds) = try await setUp() else { return }
    let count = "SELECT count(*) FROM nodes"
    _ = await one.accounts[0].claim(feeds[0])
    #expect(await one.stores[0].claims.holds(.hooks))
    #expect(await two.stores[0].claims.holds(.hooks) == false)
    #expect(try await one.shared.firstText(count) == "2")
    #expect(try await one.stores[0].firstText(count) == "0")
    #expect(try await one.stores[0].nodes().map(\.feeds).sorted() == [0, 1])
    await one.stores[0].close()
    #expect(await two.stores[0].claims.claim(feeds[0]) != .busy)
    await one.close()
    await two.close()
  }

  @Test func `First requests and those with credentials are each account's own`() async throws {
    guard let (one, two, feeds) = try await setUp() else { return }
    var settings = FeedSettings()
    settings.credential = "config:x"
    for (store, url) in [(one.stores[0], "http://new/"), (one.stores[1], "http://new/")] {
      _ = try await store.add(NewFeed(url: url), at: now)
    }
    let fresh = try await [one.stores[0].feeds().last, one.stores[1].feeds().last].map { try #require($0).id }
    #expect(await one.accounts[0].claim(fresh[0]) == .claimed(secondsSinceRequest: nil))
    #expect(await two.accounts[1].claim(fresh[1]) == .claimed(secondsSinceRequest: nil))
    // The feed itself is refreshed by one node at a time.
    #expect(await two.accounts[0].claim(fresh[0]) == .busy)
    for (store, feed) in zip(one.stores, feeds) { try await store.update(feed, settings: settings) }
    #expect(await one.accounts[0].claim(feeds[0]) == .claimed(secondsSinceRequest: nil))
    #expect(await two.accounts[1].claim(feeds[1]) == .claimed(secondsSinceRequest: nil))
    await one.close()
    await two.close()
  }

  @Test func `Requests that were not made for a day are forgotten, and the others are not`() {
    let start = ContinuousClock.now
    var times = RequestTimes(at: start)
    for second in 0..<100_000 {
      let feed = Feed.ID(rawValue: Int64(second))
      times.found(feed, 5, seconds: 7, at: start + .seconds(second))
      times.sent(feed, at: 6, start + .seconds(second))
    }
    let end = start + .seconds(100_000)
    // Every hour, so that each entry lives for at most 25.
    #expect((86_400...90_001).contains(times.count), "\(times.count)")
    let last = Feed.ID(rawValue: 99_999)
    #expect(times.secondsSinceForeign(last, at: end) == nil)
    times.found(last, 7, seconds: 20, at: end)
    #expect(times.secondsSinceForeign(last, at: end + .seconds(5)) == 25)
  }

  /// An account whose feeds cannot be read for some time.
  private final class Unreadable: Sendable {
    private struct State {
      var isReadable = false
      var reads = 0
      var reports: [Bool] = []
    }

    private let state = Mutex(State())
    private let shared: PostgresStore
    private let store: PostgresStore
    private let requests: RequestClaims

    init(_ database: TestDatabase, pause: Duration, memory: Duration = .seconds(120)) async throws {
      var timing = NodeLease.Timing()
      timing.claimPause = pause
      timing.failureMemory = memory
      shared = PostgresStore(try StoreURI(database.newStore()), timing: timing) {
        (_, _) throws(StoreError) in
      }
      store = PostgresStore(try StoreURI(database.newStore()), lease: shared.node) {
        (_, _) throws(StoreError) in
      }
      requests = RequestClaims(shared.claims)
      try await shared.open()
      try await shared.node.join()
    }

    /// Its claims, and a feed.
    func begin() async throws -> (AccountClaims, Feed.ID) {
      store.claims.reportFailures { _ in
      } ofStore: { [self] error in
        state.withLock { $0.reports.append(error != nil) }
      }
      let claims = AccountClaims(account: "anna", requests: requests) { [store] in
        store.claims
      } feed: { [self] (id) async throws(StoreError) in
        let isReadable = state.withLock { state in
          state.reads += 1
          return state.isReadable
        }
        guard isReadable else { throw StoreError(code: .busy, message: "locked") }
        return try await store.feed(id)
      }
      return (claims, try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id)
    }

    var reads: Int { state.withLock { $0.reads } }
    /// True for each report of a failure, and false for each that it is over.
    var reports: [Bool] { state.withLock { $0.reports } }

    func allowReading() { state.withLock { $0.isReadable = true } }

    func close() async {
      await store.close()
      await shared.close()
    }
  }

  @Test func `After a failed read, no feed of the account is read for a while`() async throws {
    guard let database = TestDatabase.shared else { return }
    let account = try await Unreadable(database, pause: .seconds(3600))
    let (claims, feed) = try await account.begin()
    let answers = await withTaskGroup(of: FeedClaim.self) { group in
      for _ in 0..<20 { group.addTask { await claims.claim(feed) } }
      return await group.reduce(into: [FeedClaim]()) { $0.append($1) }
    }
    #expect(answers.count == 20 && answers.allSatisfy { $0 == .unreadable })
    account.allowReading()
    #expect(await claims.claim(feed) == .unreadable)
    #expect(account.reads == 1)
    await account.close()
  }

  @Test func `Failed reads of an account's feeds are reported, and their end is`() async throws {
    guard let database = TestDatabase.shared else { return }
    let account = try await Unreadable(database, pause: .zero)
    let (claims, feed) = try await account.begin()
    try await eventually {
      _ = await claims.claim(feed)
      return account.reports == [true]
    }
    account.allowReading()
    // A feed that was removed is not a failure.
    #expect(await claims.claim(Feed.ID(rawValue: 99)) == .busy)
    #expect(await claims.claim(feed) != .busy)
    #expect(account.reports == [true, false])
    await account.close()
  }

  @Test func `An account whose last unreadable feed is removed does not count as failing for ever`()
    async throws
  {
    guard let database = TestDatabase.shared else { return }
    let account = try await Unreadable(database, pause: .zero, memory: .seconds(3))
    let (claims, feed) = try await account.begin()
    try await eventually {
      _ = await claims.claim(feed)
      return account.reports == [true]
    }
    try await eventually { account.reports == [true, false] }
    await account.close()
  }

  @Test func `A node that has lost its lease gives no claim to its accounts`() async throws {
    guard let (one, two, feeds) = try await setUp() else { return }
    _ = await one.accounts[0].claim(feeds[0])
    _ = try await two.shared.firstText("DELETE FROM nodes")
    try await eventually { await two.accounts[1].claim(feeds[1]) != .busy }
    // The heartbeat notices it, and joins anew.
    try await eventually { await one.accounts[1].claim(feeds[1]) == .busy }
    await one.close()
    await two.close()
  }
}
