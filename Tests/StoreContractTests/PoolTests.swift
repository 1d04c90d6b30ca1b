import Glibc
import NewsCore
import NewsPostgres
import NewsStoresShared
import SearchCases
import Synchronization
import TestSupport
import Testing

/// Stores on a server that share connections.
@Suite(.timeLimit(.minutes(3))) struct `Stores with shared connections` {
  /// A pool whose connections have this name at the server.
  private func pool(_ name: String, _ size: ConnectionPool.Size) throws -> ConnectionPool? {
    guard let address = TestDatabase.shared?.newStore() else { return nil }
    var waking = WakeTiming()
    // Longer than any test: what ends a wait is an announcement.
    waking.net = .seconds(3600)
    return ConnectionPool(try StoreURI(address + "&application_name=" + name), size, waking: waking)
  }

  private func open(_ pool: ConnectionPool, _ name: String) throws -> PostgresStore {
    var waking = WakeTiming()
    waking.net = .seconds(3600)
    waking.spacing = .zero
    let address = (TestDatabase.shared?.newStore() ?? "") + "&application_name=" + name
    return PostgresStore(try StoreURI(address), pool: pool, waking: waking) {
      (_, _) throws(StoreError) in
    }
  }

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

  private func connections(_ name: String, _ store: PostgresStore) async throws -> Int {
    let count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(name)'"
    return Int(try await store.firstText(count) ?? "") ?? -1
  }

  @Test func `Any number of stores work at the same time, keep apart, and use no more connections`()
    async throws
  {
    guard let pool = try pool("pool_many", .shared) else { return }
    let stores = try (0..<24).map { _ in try open(pool, "pool_many") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, store) in stores.enumerated() {
        group.addTask {
          let feed = try await store.add(NewFeed(url: "http://a/\(number)"), at: Timestamp(seconds: 1))
          try await store.node.join()
          _ = store.changeWaiter(for: .log, every: .seconds(1))
          for round in 0..<4 {
            // Ids are the same in all stores: only the schema tells them apart.
            #expect(
              try await store.commit([record(feed.id, "\(number)-\(round)")]).map(\.inserted.count) == [1]
            )
            #expect(try await store.feeds().map(\.url) == ["http://a/\(number)"])
            let titles = try await store.items(ItemRequest()).map(\.item.title)
            #expect(
              titles.count == round + 1 && titles.allSatisfy { $0.hasPrefix("\(number)-") },
              "\(titles)"
            )
            #expect(await store.claims.claim(feed.id) != .busy)
            store.claims.release(feed.id)
          }
        }
      }
      try await group.waitForAll()
    }
    let used = try await connections("pool_many", stores[0])
    #expect((2...16).contains(used), "\(used)")
    for store in stores {
      #expect(try await store.check().isEmpty)
      #expect(try await store.nodes().count == 1)
      await store.close()
    }
    await pool.close()
  }

  private final class Signs: Sendable {
    /// Number of stores whose tables are locked.
    let held = Mutex(0)
    /// Number of claims that were refused.
    let refused = Mutex(0)
    let isEnded = Mutex(false)
    let isAnswered = Mutex(false)
    let isReported = Mutex(false)
  }

  @Test(arguments: [false, true])
  func `Stores whose tables are locked do not delay the others`(isReading: Bool) async throws {
    guard let pool = try pool("pool_locked", .shared) else { return }
    let addresses = (0..<4).compactMap { _ in TestDatabase.shared?.newStore() }
    let locked = try addresses.map { address in
      PostgresStore(try StoreURI(address + "&application_name=pool_locked"), pool: pool) {
        (_, _) throws(StoreError) in
      }
    }
    let other = try open(pool, "pool_locked")
    let feed = try await other.add(NewFeed(url: "http://other/"), at: Timestamp(seconds: 1))
    for store in locked { _ = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)) }
    let lockers = try addresses.map { address in
      PostgresStore(try StoreURI(address)) { (_, _) throws(StoreError) in }
    }
    let signs = Signs()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for locker in lockers {
        group.addTask {
          try await locker.transaction { (connection) throws(StoreError) in
            try connection.run("LOCK TABLE feeds, counters IN ACCESS EXCLUSIVE MODE", values: [])
            _ = try connection.currentTime()
            signs.held.withLock { $0 += 1 }
            while !signs.isEnded.withLock({ $0 }) { usleep(5000) }
          }
        }
      }
      try await eventually { signs.held.withLock { $0 } == lockers.count }
      for store in locked {
        for number in 0..<4 {
          group.addTask {
            if isReading {
              _ = try await store.feeds()
            } else {
              _ = try await store.add(NewFeed(url: "http://b/\(number)"), at: Timestamp(seconds: 1))
            }
          }
        }
      }
      let answer = Task {
        try await Task.sleep(for: .milliseconds(100))
        // More than there are further connections, of which the other stores must not get a second one each.
        for number in 0..<8 {
          if isReading {
            #expect(try await other.feeds().count == 1)
          } else {
            #expect(try await other.commit([record(feed.id, "\(number)")]).map(\.inserted.count) == [1])
          }
        }
        signs.isAnswered.withLock { $0 = true }
      }
      try? await eventually(within: .seconds(15)) { signs.isAnswered.withLock { $0 } }
      #expect(signs.isAnswered.withLock { $0 })
      #expect(try await connections("pool_locked", other) <= 30)
      signs.isEnded.withLock { $0 = true }
      _ = await answer.result
      try await group.waitForAll()
    }
    #expect(try await locked[0].feeds().count == (isReading ? 1 : 5))
    // Those that took the place of held connections are closed.
    try await eventually { try await connections("pool_locked", other) <= 16 }
    for store in locked + lockers + [other] { await store.close() }
    await pool.close()
  }

  @Test
  func `An account whose table of claims is locked does not delay the claims of others, and is reported`()
    async throws
  {
    guard let address = TestDatabase.shared?.newStore() else { return }
    let uri = try StoreURI(address)
    let pool = ConnectionPool(uri, .single)
    var timing = NodeLease.Timing()
    timing.claimPause = .seconds(2)
    let shared = PostgresStore(uri, pool: pool, node: "one", version: "1", timing: timing) {
      (_, _) throws(StoreError) in
    }
    try await shared.open()
    try await shared.node.join()
    let addresses = (0..<5).compactMap { _ in TestDatabase.shared?.newStore() }
    let stores = try addresses.map { address in
      PostgresStore(try StoreURI(address), pool: pool, lease: shared.node) { (_, _) throws(StoreError) in }
    }
    var ids: [Feed.ID] = []
    for store in stores {
      ids.append(try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id)
    }
    // The pool opens at most four connections for claims.
    let (locked, other, feeds) = (Array(stores.dropLast()), stores[4], ids)
    let lockers = try addresses.dropLast().map { address in
      PostgresStore(try StoreURI(address)) { (_, _) throws(StoreError) in }
    }
    let signs = Signs()
    locked[0].claims.reportFailures { _ in
    } ofStore: { error in
      if error != nil { signs.isReported.withLock { $0 = true } }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for locker in lockers {
        group.addTask {
          try await locker.transaction { (connection) throws(StoreError) in
            try connection.run("LOCK TABLE polls IN ACCESS EXCLUSIVE MODE", values: [])
            _ = try connection.currentTime()
            signs.held.withLock { $0 += 1 }
            while !signs.isEnded.withLock({ $0 }) { usleep(5000) }
          }
        }
      }
      try await eventually { signs.held.withLock { $0 } == lockers.count }
      for (store, feed) in zip(locked, feeds) {
        for _ in 0..<4 {
          group.addTask {
            #expect(await store.claims.claim(feed) == .busy)
            signs.refused.withLock { $0 += 1 }
          }
        }
      }
      let answer = Task {
        try await Task.sleep(for: .milliseconds(100))
        #expect(await other.claims.claim(feeds[4]) != .busy)
        signs.isAnswered.withLock { $0 = true }
      }
      try? await eventually(within: .seconds(15)) { signs.isAnswered.withLock { $0 } }
      #expect(signs.isAnswered.withLock { $0 })
      try? await eventually(within: .seconds(60)) {
        _ = await locked[0].claims.claim(feeds[0])
        return signs.isReported.withLock { $0 }
      }
      #expect(signs.isReported.withLock { $0 })
      try? await eventually(within: .seconds(60)) { signs.refused.withLock { $0 } == 4 * locked.count }
      signs.isEnded.withLock { $0 = true }
      _ = await answer.result
      try await group.waitForAll()
    }
    try await eventually { await locked[0].claims.claim(feeds[0]) != .busy }
    for store in stores + lockers + [shared] { await store.close() }
    await pool.close()
  }

  @Test func `A store that closes leaves the connections to the others`() async throws {
    guard let pool = try pool("pool_close", .single) else { return }
    let (one, two) = (try open(pool, "pool_close"), try open(pool, "pool_close"))
    _ = try await one.add(NewFeed(url: "http://one/"), at: Timestamp(seconds: 1))
    _ = try await two.add(NewFeed(url: "http://two/"), at: Timestamp(seconds: 1))
    let before = try await connections("pool_close", two)
    await one.close()
    #expect(try await connections("pool_close", two) == before)
    #expect(try await two.feeds().map(\.url) == ["http://two/"])
    #expect(try await one.feeds().map(\.url) == ["http://one/"])
    await pool.close()
  }

  @Test func `A change wakes the readers of its store, and no others`() async throws {
    guard let pool = try pool("pool_wake", .single) else { return }
    let stores = [try open(pool, "pool_wake"), try open(pool, "pool_wake"), try open(pool, "pool_wake")]
    var feeds: [Feed.ID] = []
    var waiters: [any ChangeAwaiting] = []
    for store in stores {
      feeds.append(try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id)
      waiters.append(store.changeWaiter(for: .log, every: .seconds(3600)))
      // The first announcement says that everything may have changed.
      try await waiters[waiters.count - 1].wait()
    }
    await stores[0].close()
    for (place, other) in [(1, 2), (2, 1)] {
      _ = try await stores[place].commit([record(feeds[place], "new")])
      try await waiters[place].wait()
      #expect(try await !waiters[other].wait(atMost: .milliseconds(200)))
    }
    // One connection listens, one reads or writes at a time, and none is left of the closed store.
    #expect(try await connections("pool_wake", stores[1]) <= 3)
    await pool.close()
  }

  @Test(.blocking) func `A reader of a store does not wait for another one`() async throws {
    guard let pool = try pool("pool_readers", .single) else { return }
    let store = try open(pool, "pool_readers")
    _ = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1))
    let signs = Signs()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await store.snapshot { (_) throws(StoreError) in
          signs.held.withLock { $0 += 1 }
          while !signs.isEnded.withLock({ $0 }) { usleep(5000) }
        }
      }
      try await eventually { signs.held.withLock { $0 } == 1 }
      #expect(try await store.feeds().count == 1)
      signs.isEnded.withLock { $0 = true }
      try await group.waitForAll()
    }
    await pool.close()
  }

  @Test(.blocking) func `Short reads of a store do not wait for its long ones`() async throws {
    guard let pool = try pool("pool_short", .shared) else { return }
    let store = try open(pool, "pool_short")
    let id = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    let signs = Signs()
    try await withThrowingTaskGroup(of: Void.self) { group in
      // As many as one store may have.
      for _ in 0..<3 {
        group.addTask {
          try await store.snapshot { (_) throws(StoreError) in
            signs.held.withLock { $0 += 1 }
            while !signs.isEnded.withLock({ $0 }) { usleep(5000) }
          }
        }
      }
      try await eventually { signs.held.withLock { $0 } == 3 }
      let answer = Task<Void, any Error> {
        let url = try await store.feed(id).url
        let passwords = try await store.appPasswords()
        let hash = try await store.loginPasswordHash()
        let link = try await store.signOnLink(to: "https://a/")
        #expect(url == "http://a/" && passwords.isEmpty && hash == nil && link == nil)
        signs.isAnswered.withLock { $0 = true }
      }
      try? await eventually(within: .seconds(15)) { signs.isAnswered.withLock { $0 } }
      #expect(signs.isAnswered.withLock { $0 })
      signs.isEnded.withLock { $0 = true }
      _ = await answer.result
      try await group.waitForAll()
    }
    await store.close()
    await pool.close()
  }

  @Test func `Announcements count the changes of a store, if it may listen`() async throws {
    guard let pool = try pool("pool_count", .single) else { return }
    let store = try open(pool, "pool_count")
    let feed = try await store.add(NewFeed(url: "http://a/"), at: Timestamp(seconds: 1)).id
    try await eventually { store.announcements != nil }
    let before = try #require(store.announcements)
    _ = try await store.commit([record(feed, "new")])
    try await eventually { (store.announcements ?? 0) > before }
    await store.close()
    try await eventually { store.announcements == nil }
    await pool.close()

    let address = (TestDatabase.shared?.newStore() ?? "") + "&listen=off"
    let silent = PostgresStore(try StoreURI(address)) { (_, _) throws(StoreError) in }
    _ = try await silent.feeds()
    #expect(silent.announcements == nil)
    await silent.close()
  }
}
