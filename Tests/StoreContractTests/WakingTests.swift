import NewsStoresShared
import NewsCore
import NewsPostgres
import SearchCases
import TestSupport
import Testing

/// Readers that wait for changes of a store.
@Suite(.timeLimit(.minutes(3))) struct `Waiting for changes` {
  /// Longer than any test: what ends a wait is an announcement.
  private static let never = Duration.seconds(3600)

  private func open(
    _ address: String,
    net: Duration = Self.never,
    configure: (inout WakeTiming) -> Void = { _ in }
  ) throws -> PostgresStore {
    var waking = WakeTiming()
    waking.net = net
    waking.spacing = .zero
    configure(&waking)
    return PostgresStore(try StoreURI(address), waking: waking) { (_, _) throws(StoreError) in }
  }

  private func newAddress() -> String? { TestDatabase.shared?.newStore() }

  /// Waits until the store's listener has begun: its first announcement says that everything may have changed.
  private func began(
    _ store: PostgresStore,
    _ kinds: StoreChangeKinds...
  ) async throws -> [any ChangeAwaiting] {
    let waiters = kinds.map { store.changeWaiter(for: $0, every: Self.never) }
    for waiter in waiters { try await waiter.wait() }
    return waiters
  }

  private func record(_ feed: Feed.ID, _ items: [String]) -> RefreshRecord {
    var parsed = ParsedFeed(format: "rss20")
    parsed.items = items.map { ParsedItem($0, title: $0) }
    return RefreshRecord(
      feedID: feed,
      state: FetchState.unfetched,
      parsed: parsed,
      time: Timestamp(seconds: 9)
    )
  }

  @Test func `A commit of another process wakes a waiting reader`() async throws {
    guard let address = newAddress() else { return }
    let (reader, writer) = (try open(address), try open(address))
    let feed = try await writer.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    let waiter = try await began(reader, .log)[0]
    for round in 1...5 {
      let before = try await reader.latestSequence()
      _ = try await writer.commit([record(feed, (0..<round).map { "\(round)-\($0)" })])
      try await waiter.wait()
      #expect(try await reader.latestSequence() > before)
    }
    await reader.close()
    await writer.close()
  }

  @Test func `A change that arrives before the wait begins ends the wait at once`() async throws {
    guard let address = newAddress() else { return }
    let (reader, writer) = (try open(address), try open(address))
    let feed = try await writer.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    let waiters = try await began(reader, .log, .log)
    _ = try await writer.commit([record(feed, ["one"])])
    // The notification has arrived when the other waiter has seen it.
    try await waiters[1].wait()
    try await waiters[0].wait()
    await reader.close()
    await writer.close()
  }

  @Test func `Each kind of change wakes only the readers that wait for it`() async throws {
    guard let address = newAddress() else { return }
    let (reader, writer) = (try open(address), try open(address))
    let feed = try await writer.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    let waiters = try await began(reader, .feedList, .log, .commits)
    let (feedList, log, commits) = (waiters[0], waiters[1], waiters[2])
    _ = try await writer.commit([record(feed, ["one"])])
    try await log.wait()
    try await commits.wait()
    #expect(try await feedList.wait(atMost: .zero) == false)
    _ = try await writer.commit([record(feed, ["one"])])
    try await commits.wait()
    #expect(try await log.wait(atMost: .zero) == false)
    _ = try await writer.add(NewFeed(url: "http://b/"), at: Timestamp(seconds: 1))
    try await feedList.wait()
    try await log.wait()
    await reader.close()
    await writer.close()
  }

  @Test func `Stores in one database do not wake each other's readers`() async throws {
    guard let address = newAddress(), let other = newAddress() else { return }
    let (reader, writer, stranger) = (try open(address), try open(address), try open(other))
    _ = try await writer.feeds()
    let waiter = try await began(reader, .log)[0]
    _ = try await stranger.add(NewFeed(url: "http://b/"), at: Timestamp(seconds: 1))
    _ = try await writer.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1))
    try await waiter.wait()
    #expect(try await waiter.wait(atMost: .zero) == false)
    for store in [reader, writer, stranger] { await store.close() }
  }

  @Test func `Without LISTEN, readers poll for changes`() async throws {
    guard let address = newAddress() else { return }
    let reader = try open(address + "&listen=off", net: .milliseconds(1))
    let writer = try open(address)
    let waiter = reader.changeWaiter(for: .log, every: Self.never)
    let feed = try await writer.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    _ = try await writer.commit([record(feed, ["one"])])
    repeat { try await waiter.wait() } while try await reader.latestSequence() < 2
    await reader.close()
    await writer.close()
  }

  @Test func `A listener whose connection breaks reconnects and wakes its readers`() async throws {
    guard let address = newAddress() else { return }
    let name = "listener_" + String(address.split(separator: "schema=").last ?? "")
    let reader = try open(address + "&application_name=" + name) { $0.retry = .zero }
    let writer = try open(address)
    _ = try await writer.feeds()
    let waiter = try await began(reader, .log)[0]
    for round in 1...3 {
      let ended = try await writer.firstText(
        """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE application_name = '\(name)' AND query LIKE 'LISTEN%'
        """
      )
      #expect(ended == "1")
      try await waiter.wait()
      _ = try await writer.add(NewFeed(url: "http://\(round)/"), at: Timestamp(seconds: 1))
      try await waiter.wait()
    }
    await reader.close()
    await writer.close()
  }

  @Test func `A cancelled wait ends`() async throws {
    guard let address = newAddress() else { return }
    let reader = try open(address + "&listen=off")
    let waiter = reader.changeWaiter(for: .log, every: Self.never)
    let task = Task { try await waiter.wait() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await reader.close()
  }

  @Test func `A pause of fixed length ends after its interval`() async throws {
    let waiter = FixedPause(.zero)
    try await waiter.wait()
    #expect(try await waiter.wait(atMost: Self.never))
  }
}
