import NewsStoresShared
import Glibc
import NewsCore
import NewsPostgres
import SearchCases
import Synchronization
import TestSupport
import Testing

/// Several processes that poll the feeds of one store.
@Suite(.timeLimit(.minutes(3))) struct `Nodes on PostgreSQL` {
  private func open(
    _ address: String,
    _ name: String,
    lease: Int64 = 60,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) throws -> PostgresStore {
    var timing = NodeLease.Timing()
    timing.lease = lease
    timing.dutyCheck = .zero
    // Longer than any test, so that a node with a short lease loses it.
    timing.heartbeat = .seconds(lease < 60 ? 600 : 5)
    return PostgresStore(try StoreURI(address), node: name, version: "1", timing: timing, now: now) {
      (_, _) throws(StoreError) in
    }
  }

  private final class Signs: Sendable {
    let isHeld = Mutex(false)
    let isEnded = Mutex(false)
    let isReported = Mutex(false)
  }

  private func newAddress() -> String? { TestDatabase.shared?.newStore() }

  private func record(_ feed: Feed.ID, _ title: String) -> RefreshRecord {
    var parsed = ParsedFeed(format: "rss20")
    parsed.items = [ParsedItem(title, title: title)]
    return RefreshRecord(
      feedID: feed,
      state: FetchState.unfetched,
      parsed: parsed,
      time: Timestamp(seconds: 9)
    )
  }

  /// Repeats `acquire` for a site until the answer has arrived.
  private func acquire(
    _ store: PostgresStore,
    _ site: String,
    limit: Int = 2,
    spacing: Int64 = 0,
    now: Int64 = 0,
    feed: Feed.ID? = nil
  ) async throws -> SiteEntry {
    let request = SiteRequest(limit: limit, spacing: spacing, isSpaced: spacing > 0, now: now, feed: feed)
    var entry = store.sites.acquire(site, besides: [], request)
    try await eventually {
      guard case .undecided(let until) = entry, until < now + 10 else { return true }
      entry = store.sites.acquire(site, besides: [], request)
      return false
    }
    return entry
  }

  @Test func `A feed is claimed by one node at a time`() async throws {
    guard let address = newAddress() else { return }
    let (one, two) = (try open(address, "one"), try open(address, "two"))
    let feed = try await one.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    #expect(await one.claims.claim(feed) == .claimed(secondsSinceRequest: nil))
    #expect(await two.claims.claim(feed) == .busy)
    #expect(try await two.nodes().map(\.name) == ["one", "two"])
    #expect(try await two.nodes().map(\.feeds) == [1, 0])
    await one.close()
    #expect(await two.claims.claim(feed) == .claimed(secondsSinceRequest: nil))
    #expect(try await two.nodes().map(\.name) == ["two"])
    await two.close()
  }

  @Test func `A process that joins several times at once is one node`() async throws {
    guard let address = newAddress() else { return }
    let store = try open(address, "one")
    _ = try await store.feeds()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { try await store.node.join() } }
      try await group.waitForAll()
    }
    #expect(try await store.nodes().map(\.name) == ["one"])
    await store.close()
    #expect(try await open(address, "two").nodes().isEmpty)
  }

  @Test func `The clock of a node on a machine with a wrong clock follows the server's`() async throws {
    guard let address = newAddress() else { return }
    for wrong: Int64 in [-3_600_000, 0, 3_600_000] {
      let clock = NodeClock { Self.milliseconds() + wrong }
      let differences = Mutex<[Int64]>([])
      clock.reportDifferences(to: { difference in differences.withLock { $0.append(difference) } })
      let store = PostgresStore(try StoreURI(address), clock: clock) { (_, _) throws(StoreError) in }
      _ = try await store.feeds()
      try await store.node.join()
      #expect((-2...2).contains(clock.now().seconds - Self.milliseconds() / 1000))
      let reported = differences.withLock { $0 }
      #expect(reported.count == (wrong == 0 ? 0 : 1))
      #expect((-1...1).contains((reported.first ?? 0) + wrong / 1000))
      await store.close()
    }
  }

  private static func milliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  @Test func `What was stored while the server's clock was ahead holds no feed, site or delivery`()
    async throws
  {
    guard let address = newAddress() else { return }
    let gone = try open(address, "gone", lease: 5)
    let feed = try await gone.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    #expect(await gone.claims.claim(feed) == .claimed(secondsSinceRequest: nil))
    guard case .acquired = try await acquire(gone, "a", spacing: 60_000, feed: feed) else {
      Issue.record("no slot")
      return
    }
    for change in [
      "UPDATE nodes SET beat = beat + interval '1 hour', until = until + interval '1 hour'",
      "UPDATE polls SET asked = asked + interval '1 hour'",
      "UPDATE sites SET last_start = last_start + interval '1 hour'",
    ] { _ = try await gone.firstText(change) }
    let next = try open(address, "next")
    try await next.node.join()
    let lease = "SELECT until < clock_timestamp() + interval '6 seconds' FROM nodes WHERE name = 'gone'"
    #expect(try await next.firstText(lease) == "true")
    var claim = FeedClaim.busy
    try await eventually {
      claim = await next.claims.claim(feed)
      return claim != .busy
    }
    guard case .claimed(let seconds?) = claim else {
      Issue.record("\(claim)")
      return
    }
    #expect(seconds < -3000)
    guard case .acquired = try await acquire(next, "a", limit: 1, spacing: 60_000, feed: feed) else {
      Issue.record("the site is held")
      return
    }
    // The next request waits as usual.
    guard case .later(let until) = try await acquire(next, "a", spacing: 60_000) else {
      Issue.record("the site is not spaced")
      return
    }
    #expect((1...60_000).contains(until))
    await gone.close()
    await next.close()
  }

  @Test func `A delivery that was taken while the server's clock was ahead is taken again`() async throws {
    guard let address = newAddress() else { return }
    let store = try open(address, "one")
    var hook = Hook(name: "h", target: .exec(["true"]))
    hook.events = [.starred]
    try await store.register([hook], isComplete: true)
    let feed = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    _ = try await store.commit([record(feed, "A")])
    _ = try await store.mark([NewsItem.ID(rawValue: 1)], .starred)
    func take() async throws -> Int {
      try await store.takeDeliveries(
        of: "h",
        at: Timestamp(seconds: 9_000_000_000),
        before: nil,
        after: nil,
        limit: 1,
        hold: 60
      ).count
    }
    #expect(try await take() == 1)
    #expect(try await take() == 0)
    _ = try await store.firstText("UPDATE outbox SET taken = taken + interval '10 minutes'")
    #expect(try await take() == 1)
    #expect(try await take() == 0)
    await store.close()
  }

  @Test func `A released feed can be claimed by another node`() async throws {
    guard let address = newAddress() else { return }
    let (one, two) = (try open(address, "one"), try open(address, "two"))
    let feed = try await one.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    _ = await one.claims.claim(feed)
    one.claims.release(feed)
    try await eventually { await two.claims.claim(feed) != .busy }
    #expect(await one.claims.claim(feed) == .busy)
    await one.close()
    await two.close()
  }

  @Test func `Records of a node that lost its lease are dropped, and it sends no more requests`()
    async throws
  {
    guard let address = newAddress() else { return }
    let (late, next) = (try open(address, "late", lease: 5), try open(address, "next"))
    let feed = try await late.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    #expect(await late.claims.claim(feed) == .claimed(secondsSinceRequest: nil))
    try await eventually { await next.claims.claim(feed) != .busy }
    #expect(try await late.commit([record(feed, "late")]).isEmpty)
    #expect(try await acquire(late, "a", feed: feed) == .refused)
    #expect(try await next.commit([record(feed, "next")]).map(\.inserted.count) == [1])
    #expect(try await next.items(ItemRequest()).map(\.item.title) == ["next"])
    #expect(try await next.nodes().map(\.name) == ["next"])
    await late.close()
    await next.close()
  }

  @Test
  func `A node whose lease ended stores what it fetched before if no other node has claimed the feed`()
    async throws
  {
    guard let address = newAddress() else { return }
    let late = try open(address, "late", lease: 4)
    let feed = try await late.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    #expect(await late.claims.claim(feed) == .claimed(secondsSinceRequest: nil))
    let next = try open(address, "next")
    try await eventually { try await next.nodes().isEmpty }
    #expect(try await late.commit([record(feed, "late")]).map(\.inserted.count) == [1])
    await late.close()
    await next.close()
  }

  @Test
  func `Request slots that the server has recorded for a node, but the node does not hold, are free for it`()
    async throws
  {
    guard let address = newAddress() else { return }
    let store = try open(address, "one")
    _ = try await store.feeds()
    try await store.node.join()
    let number = try #require(try await store.firstText("SELECT max(id) FROM nodes"))
    // The state after the answers to two questions were lost.
    _ = try await store.firstText(
      """
      INSERT INTO sites (site, busy) VALUES ('a', ARRAY[ROW(\(number), now() + interval '2 minutes')::slot,
        ROW(\(number), now() + interval '1 minute')::slot])
      """
    )
    guard case .acquired(let first) = try await acquire(store, "a"), let first,
      case .acquired(let second) = try await acquire(store, "a"), second != nil
    else {
      Issue.record("a slot that the node does not hold counts as taken")
      return
    }
    #expect(try await acquire(store, "a") == .undecided(until: 50))
    _ = store.sites.release("a", slot: first)
    try await eventually { try await store.firstText("SELECT cardinality(busy) FROM sites") == "1" }
    await store.close()
  }

  @Test func `After a site's row was deleted, a node gets a request slot for the site again`() async throws {
    guard let address = newAddress() else { return }
    let store = try open(address, "one")
    _ = try await store.feeds()
    guard case .acquired = try await acquire(store, "a") else {
      Issue.record("no slot")
      return
    }
    _ = try await store.firstText("DELETE FROM sites")
    #expect(try await acquire(store, "a") == .undecided(until: 50))
    guard case .acquired = try await acquire(store, "a", now: 100) else {
      Issue.record("the site is not known again")
      return
    }
    await store.close()
  }

  @Test(arguments: [
    "datestyle = 'SQL, DMY'", "timezone = 'Asia/Kolkata'", "default_transaction_read_only = on",
    "statement_timeout = '500ms'",
  ])
  func `Settings of the PostgreSQL role do not affect newsd`(_ setting: String) async throws {
    guard let address = newAddress() else { return }
    let administrator = try open(address, "administrator")
    let role = "odd_\(setting.prefix { $0 != " " })"
    _ = try await administrator.firstText(
      "CREATE ROLE \(role) SUPERUSER LOGIN; ALTER ROLE \(role) SET \(setting)"
    )
    let store = try open(address + "&user=" + role, "one")
    _ = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1))
    #expect(try await store.firstText("SELECT 'done' FROM pg_sleep(0.6)") == "done")
    try await store.node.join()
    guard case .acquired(let slot) = try await acquire(store, "a"), let slot else {
      Issue.record("no slot")
      return
    }
    _ = store.sites.release("a", slot: slot)
    try await eventually { try await store.firstText("SELECT cardinality(busy) FROM sites") == "0" }
    await store.close()
    await administrator.close()
  }

  @Test func `A node that claims a feed learns when another node last requested it`() async throws {
    guard let address = newAddress() else { return }
    let (one, two) = (try open(address, "one"), try open(address, "two"))
    let feeds = try await one.add(
      [NewFeed(url: "http://a/"), NewFeed(url: "http://b/")],
      at: Timestamp(seconds: 1)
    ).added.map(\.id)
    for feed in feeds { #expect(await one.claims.claim(feed) == .claimed(secondsSinceRequest: nil)) }
    guard case .acquired = try await acquire(one, "a", feed: feeds[0]) else {
      Issue.record("no slot")
      return
    }
    await one.close()
    guard case .claimed(let seconds) = await two.claims.claim(feeds[0]) else {
      Issue.record("not claimed")
      return
    }
    #expect(seconds.map { $0 >= 0 && $0 < 100 } == true)
    #expect(await two.claims.claim(feeds[1]) == .claimed(secondsSinceRequest: nil))
    await two.close()
  }

  @Test func `The concurrent requests of a site are limited across nodes`() async throws {
    guard let address = newAddress() else { return }
    let (one, two) = (try open(address, "one"), try open(address, "two"))
    _ = try await one.feeds()
    guard case .acquired(let slot) = try await acquire(one, "a"), let slot else {
      Issue.record("no slot")
      return
    }
    guard case .acquired = try await acquire(two, "a") else {
      Issue.record("no second slot")
      return
    }
    // Both slots are taken: try again later.
    #expect(try await acquire(two, "a") == .undecided(until: 50))
    // Another site has separate slots.
    guard case .acquired = try await acquire(two, "b") else {
      Issue.record("no slot of another site")
      return
    }
    _ = one.sites.release("a", slot: slot)
    var entry = try await acquire(one, "a")
    while case .undecided = entry { entry = try await acquire(try open(address, "three"), "a") }
    guard case .acquired = entry else {
      Issue.record("the released slot is not free")
      return
    }
    await one.close()
    await two.close()
  }

  @Test func `The request slots of a node whose lease ended are free for other nodes`() async throws {
    guard let address = newAddress() else { return }
    let (lost, next) = (try open(address, "lost", lease: 5), try open(address, "next"))
    _ = try await lost.feeds()
    try await lost.node.join()
    for _ in 0..<2 {
      guard case .acquired = try await acquire(lost, "a") else {
        Issue.record("no slot")
        return
      }
    }
    var entry = try await acquire(next, "a")
    while case .undecided = entry { entry = try await acquire(try open(address, "third"), "a") }
    guard case .acquired = entry else {
      Issue.record("the slots of the lost node are not free")
      return
    }
    await lost.close()
    await next.close()
  }

  @Test func `Requests of accounts that a killed node had claimed are removed a month after they were made`()
    async throws
  {
    guard let address = newAddress() else { return }
    var timing = NodeLease.Timing()
    timing.heartbeat = .milliseconds(20)
    let store = PostgresStore(try StoreURI(address), node: "one", version: "1", timing: timing) {
      (_, _) throws(StoreError) in
    }
    try await store.open()
    let request = Int64(1) << 61
    // Of a node that was killed, and given back; another one is younger. The last is a feed.
    _ = try await store.firstText(
      """
      INSERT INTO polls (feed, owner, token, asked) VALUES
        (\(request + 1), 1000000, 1, now() - interval '31 days'), (\(request + 2), NULL, 1, now() - interval '31 days'),
        (\(request + 3), 1000000, 1, now() - interval '29 days'), (1, 1000000, 1, now() - interval '31 days')
      """
    )
    try await store.node.join()
    try await eventually { try await store.firstText("SELECT count(*) FROM polls") == "2" }
    #expect(try await store.firstText("SELECT max(feed) FROM polls") == "\(request + 3)")
    await store.close()
  }

  @Test func `A process that was stopped may not send a request if another process took over its feed`()
    async throws
  {
    guard let address = newAddress() else { return }
    let passed = Mutex(Duration.zero)
    let begin = ContinuousClock.now
    let stopped = try open(address, "stopped") { begin + passed.withLock { $0 } }
    let next = try open(address, "next")
    let feed = try await stopped.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    #expect(await stopped.claims.claim(feed) == .claimed(secondsSinceRequest: nil))
    let request = SiteRequest(limit: 1, spacing: 0, isSpaced: false, now: 0, feed: feed)
    // The server allows the request, but the process does not use the permission yet.
    _ = stopped.sites.acquire("a", besides: [], request)
    try await eventually {
      try await next.firstText("SELECT count(*) FROM polls WHERE asked IS NOT NULL") != "0"
    }
    // While it is stopped, another process takes over the feed.
    passed.withLock { $0 = .seconds(11) }
    _ = try await next.firstText("UPDATE polls SET token = token + 1")
    #expect(try await acquire(stopped, "a", limit: 1, feed: feed) == .refused)
    // The unused permission takes no slot.
    var entry = try await acquire(next, "a", limit: 1)
    while case .undecided = entry { entry = try await acquire(try open(address, "third"), "a", limit: 1) }
    guard case .acquired = entry else {
      Issue.record("the slot of the unused permission is not free")
      return
    }
    await stopped.close()
    await next.close()
  }

  @Test func `Requests to a site are spaced across nodes`() async throws {
    guard let address = newAddress() else { return }
    let (one, two) = (try open(address, "one"), try open(address, "two"))
    _ = try await one.feeds()
    guard case .acquired = try await acquire(one, "a", spacing: 100_000) else {
      Issue.record("no slot")
      return
    }
    guard case .later(let time) = try await acquire(two, "a", spacing: 100_000) else {
      Issue.record("not spaced")
      return
    }
    #expect((1...100_000).contains(time))
    await one.close()
    await two.close()
  }

  @Test func `One node at a time delivers hooks`() async throws {
    guard let address = newAddress() else { return }
    let (one, two) = (try open(address, "one"), try open(address, "two"))
    _ = try await one.feeds()
    #expect(await one.holds(.hooks))
    #expect(await two.holds(.hooks) == false)
    #expect(await two.holds(.articles))
    #expect(await one.holds(.hooks))
    await one.close()
    #expect(await two.holds(.hooks))
    await two.close()
  }

  /// Has the node make tables that are missing, as the nodes of accounts do.
  private func makeMissingTables(of store: PostgresStore) {
    store.node.makeMissingTables { [weak store] () async throws(StoreError) in
      store?.reexamine()
      try await store?.open()
    }
  }

  @Test func `A request may be sent before a schema that holds only leases was made`() async throws {
    guard let address = newAddress() else { return }
    let store = try open(address, "one")
    makeMissingTables(of: store)
    guard case .acquired = try await acquire(store, "a") else {
      Issue.record("no slot")
      return
    }
    await store.close()
  }

  @Test func `Nodes make dropped tables again, and each has a lease of its own`() async throws {
    guard let address = newAddress() else { return }
    let (one, two) = (try open(address, "one"), try open(address, "two"))
    for store in [one, two] {
      makeMissingTables(of: store)
      try await store.open()
      try await store.node.join()
    }
    _ = try await one.firstText("DROP SCHEMA \"\(try StoreURI(address).schema)\" CASCADE")
    // A node that joins the new tables first has the number that the other had, or keeps.
    guard case .acquired = try await acquire(two, "a") else {
      Issue.record("no slot")
      return
    }
    try await eventually { (try? await one.nodes().map(\.name).sorted()) == ["one", "two"] }
    await one.close()
    await two.close()
  }

  /// Stops the sessions of the connections with this name, and returns the processes.
  private func stopSessions(_ name: String, _ other: PostgresStore) async throws -> [pid_t] {
    let found = try await other.firstText(
      "SELECT string_agg(pid::text, ' ') FROM pg_stat_activity WHERE application_name = '\(name)'"
    )
    let sessions = (found ?? "").split(separator: " ").compactMap { pid_t($0) }
    for session in sessions { kill(session, SIGSTOP) }
    return sessions
  }

  @Test func `A first registration that gets no answer is given up, and the next one succeeds`() async throws
  {
    guard let address = newAddress(), getenv("NEWSD_TEST_POSTGRES") == nil else { return }
    var timing = NodeLease.Timing()
    timing.answer = .seconds(1)
    let uri = try StoreURI(address + "&application_name=newsd_joining")
    let store = PostgresStore(uri, node: "one", version: "1", timing: timing) { (_, _) throws(StoreError) in }
    _ = try await store.feeds()
    // Opens the connection for leases.
    _ = try await acquire(store, "a")
    let other = try open(address, "two")
    let sessions = try await stopSessions("newsd_joining", other)
    defer { for session in sessions { kill(session, SIGCONT) } }
    await #expect(throws: StoreError.self) { try await store.node.join() }
    // /ready says so.
    try await eventually { (try? store.node.check()) == nil }
    try await eventually { (try? await store.node.join()) != nil }
    try store.node.check()
    #expect(try await other.nodes().map(\.name) == ["one"])
    await store.close()
    await other.close()
  }

  @Test func `A claim of an account that gets no answer is given up, and the next one succeeds`() async throws
  {
    guard let address = newAddress(), let account = newAddress(), getenv("NEWSD_TEST_POSTGRES") == nil
    else { return }
    var timing = NodeLease.Timing()
    timing.answer = .seconds(1)
    timing.claimPause = .zero
    let uri = try StoreURI(address)
    let pool = ConnectionPool(uri, .single)
    let shared = PostgresStore(uri, pool: pool, node: "one", version: "1", timing: timing) {
      (_, _) throws(StoreError) in
    }
    try await shared.open()
    try await shared.node.join()
    let own = try StoreURI(account + "&application_name=newsd_claiming")
    let store = PostgresStore(own, pool: pool, lease: shared.node) { (_, _) throws(StoreError) in }
    let feed = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    #expect(await store.claims.claim(feed) != .busy)
    let other = try open(address, "two")
    // The account has opened the connection for claims only; the session for leases answers.
    let sessions = try await stopSessions("newsd_claiming", other)
    defer { for session in sessions { kill(session, SIGCONT) } }
    #expect(sessions.count == 1, "\(sessions)")
    #expect(await store.claims.claim(feed) == .busy)
    try await eventually { await store.claims.claim(feed) != .busy }
    await store.close()
    await shared.close()
    await pool.close()
    await other.close()
  }

  @Test func `A claim of an account whose connection the server has closed is repeated`() async throws {
    guard let address = newAddress(), let account = newAddress() else { return }
    let uri = try StoreURI(address)
    let pool = ConnectionPool(uri, .single)
    let shared = PostgresStore(uri, pool: pool, node: "one", version: "1") { (_, _) throws(StoreError) in }
    try await shared.open()
    try await shared.node.join()
    let own = try StoreURI(account + "&application_name=newsd_repeating")
    let store = PostgresStore(own, pool: pool, lease: shared.node) { (_, _) throws(StoreError) in }
    let feed = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    #expect(await store.claims.claim(feed) != .busy)
    let other = try open(address, "two")
    let ended = try await other.firstText(
      "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'newsd_repeating'"
    )
    #expect(ended == "1")
    #expect(await store.claims.claim(feed) != .busy)
    await store.close()
    await shared.close()
    await pool.close()
    await other.close()
  }

  @Test func `A process whose transaction gets no answer leaves its feeds to others, and says so`()
    async throws
  {
    guard let address = newAddress() else { return }
    var timing = NodeLease.Timing()
    timing.writing = .seconds(1)
    timing.handOver = .seconds(1)
    timing.heartbeat = .seconds(1)
    let one = PostgresStore(try StoreURI(address), node: "one", version: "1", timing: timing) {
      (_, _) throws(StoreError) in
    }
    let (two, locker) = (try open(address, "two"), try open(address, "locker"))
    let first = try await two.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    let second = try await two.add(NewFeed(url: "http://b/"), at: Timestamp(seconds: 1)).id
    #expect(await one.claims.claim(first) != .busy)
    let signs = Signs()
    one.claims.reportFailures { _ in
    } ofStore: { error in
      if error != nil { signs.isReported.withLock { $0 = true } }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await locker.transaction { (connection) throws(StoreError) in
          _ = try connection.currentTime()
          signs.isHeld.withLock { $0 = true }
          while !signs.isEnded.withLock({ $0 }) { usleep(5000) }
        }
      }
      try await eventually { signs.isHeld.withLock { $0 } }
      group.addTask {
        // Each waits for the locked row as long as PostgreSQL lets it.
        while !signs.isEnded.withLock({ $0 }) {
          _ = try? await one.add(NewFeed(url: "http://c/"), at: Timestamp(seconds: 1))
        }
      }
      let isReported: Void? = try? await eventually(within: .seconds(60)) {
        signs.isReported.withLock { $0 }
      }
      #expect(isReported != nil)
      // This process is the only one.
      let owned = try? await two.firstText("SELECT count(*) FROM polls WHERE owner IS NOT NULL")
      #expect(owned == "1")
      let isFree: Void? = try? await eventually(within: .seconds(60)) {
        await two.claims.claim(first) != .busy
      }
      #expect(isFree != nil)
      let isRefused: Void? = try? await eventually(within: .seconds(60)) {
        await one.claims.claim(second) == .busy
      }
      #expect(isRefused != nil)
      let isTold: Void? = try? await eventually(within: .seconds(60)) {
        (try? one.claims.check()) == nil && signs.isReported.withLock { $0 }
      }
      #expect(isTold != nil)
      signs.isEnded.withLock { $0 = true }
      try await group.waitForAll()
    }
    try await eventually { await one.claims.claim(second) != .busy }
    try one.claims.check()
    for store in [one, two, locker] { await store.close() }
  }

  @Test func `Sessions that hang are left when new ones are answered`() async throws {
    // Signals reach a server of this machine only.
    guard let address = newAddress(), getenv("NEWSD_TEST_POSTGRES") == nil else { return }
    var timing = NodeLease.Timing()
    timing.heartbeat = .seconds(1)
    timing.answer = .seconds(1)
    timing.recovery = .zero
    let uri = try StoreURI(address + "&application_name=newsd_hanging")
    let store = PostgresStore(uri, node: "one", version: "1", timing: timing) { (_, _) throws(StoreError) in }
    _ = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1))
    #expect(try await store.feeds().count == 1)
    try await store.node.join()
    let other = try open(address, "two")
    let sessions = try await stopSessions("newsd_hanging", other)
    defer { for session in sessions { kill(session, SIGCONT) } }
    #expect(sessions.count >= 3, "\(sessions)")
    // Waits for a session that hangs.
    #expect(try await store.feeds().count == 1)
    // Its session hangs, but nothing has waited for it yet.
    _ = try await store.add(NewFeed(url: "http://b/"), at: Timestamp(seconds: 1))
    try await eventually { (try? store.node.check()) != nil }
    await store.close()
    await other.close()
  }
}

extension PostgresStore {
  fileprivate func holds(_ duty: NodeDuty) async -> Bool { await claims.holds(duty) }
}
