@testable import NewsCore
import Testing

@Suite struct `Poll plan and failure report` {
  static let now = Timestamp(CivilTime(year: 2026, month: 11, day: 20, hour: 12))

  private func feed(_ id: Int64, _ url: String, _ state: FetchState) -> Feed {
    Feed(id: Feed.ID(rawValue: id), url: url, title: "Feed \(id)", position: Int(id), fetchState: state)
  }

  @Test func `The plan lists what is due, in order, with the reason`() {
    let cooldown = HostCooldown(host: "held.example", until: Self.now + 1800)
    let feeds = [
      feed(1, "https://a.example/", FetchState(nextDue: Self.now + 900, nextDueReason: .maxAge)),
      feed(2, "https://b.example/", FetchState()),
      feed(3, "https://c.example/", FetchState(nextDue: Self.now + 7200, nextDueReason: .ttl)),
      feed(4, "https://d.example/", FetchState(nextDue: nil, nextDueReason: .gone, isGone: true)),
      feed(
        5,
        "https://held.example/1",
        FetchState(nextDue: Self.now + 1800, nextDueReason: .retryAfter, cooldown: cooldown)
      ),
      feed(6, "https://held.example/2", FetchState(nextDue: Self.now + 60, nextDueReason: .adaptive)),
      feed(8, "ingest:Disk", FetchState()),
      feed(7, "https://e.example/", FetchState(nextDue: Self.now - 500, nextDueReason: .backoff(2))),
    ]
    let plan = PollPlan(feeds, now: Self.now, horizon: 3600)
    #expect(plan.entries.map(\.feed.id.rawValue) == [2, 7, 1, 5, 6])
    #expect(plan.entries.map(\.reason) == [.new, .backoff(2), .maxAge, .retryAfter, .retryAfter])
    #expect(plan.entries.map { $0.due - Self.now } == [0, 0, 900, 1800, 1800])
  }

  @Test func `The feed that has failed longest comes first, and each entry has advice`() {
    let feeds = [
      feed(
        1,
        "https://a.example/",
        FetchState(lastStatus: 404, failures: 3, failingSince: Self.now - 100, lastError: "404")
      ),
      feed(2, "https://b.example/", FetchState(lastStatus: 200)),
      feed(
        3,
        "https://c.example/",
        FetchState(lastStatus: nil, failures: 9, failingSince: Self.now - 40 * 86_400, lastError: "no host")
      ),
      feed(4, "https://d.example/", FetchState(lastStatus: 410, failures: 1, lastError: "410", isGone: true)),
      feed(5, "https://e.example/", FetchState(nextDueReason: .networkDown, lastError: "no host")),
    ]
    let report = FailureReport(feeds, now: Self.now)
    #expect(report.entries.map(\.feed.id.rawValue) == [3, 1, 5, 4])
    #expect(Set(report.entries.map(\.advice)).count == 4)
    #expect(report.entries[0].advice.contains("40 days"))
  }
}

@Suite struct `Applying and reverting moves` {
  let clock = ManualClock()
  let store = FakeStore()

  var editor: MoveEditor { MoveEditor(subscriptions: store, store: store, clock: clock) }

  @Test func `A pending permanent redirect can be applied at once and reverted`() async throws {
    let moved = MovedLocation(url: "https://new.example/", firstSeen: clock.now(), polls: 1)
    let id = store.insert("https://old.example/", state: FetchState(failures: 2, movedTo: moved))
    #expect(try await editor.moves().map(\.to) == ["https://new.example/"])
    #expect(try await editor.apply(id)?.from == "https://old.example/")
    #expect(store.with { $0.feeds[0].url } == "https://new.example/")
    #expect(store.state(id).failures == 2)
    #expect(try await editor.moves().map(\.isAdopted) == [true])
    #expect(try await editor.apply(id) == nil)
    #expect(try await editor.revert(id)?.to == "https://old.example/")
    #expect(store.with { $0.feeds[0].url } == "https://old.example/")
    #expect(try await editor.moves().isEmpty)
    #expect(try await editor.revert(id) == nil)
  }

  @Test func `Setting a URL keeps the feed and resets its fetch state; a duplicate is rejected`()
    async throws
  {
    let state = FetchState(
      validators: Validators(etag: "\"a\"", lastModified: nil, url: "https://old.example/"),
      nextDue: clock.now() + 3600,
      failures: 2,
      isGone: true
    )
    let id = store.insert("https://old.example/", state: state)
    let feed = try await editor.setURL(of: id, to: "https://new.example/")
    #expect(feed.url == "https://new.example/" && feed.id == id)
    #expect(store.state(id) == FetchState())
    store.insert("https://other.example/")
    let error = await #expect(throws: StoreError.self) {
      try await editor.setURL(of: id, to: "https://other.example/")
    }
    #expect(error?.code == .duplicateFeed)
  }

  /// A DNS name could point to a local address later, so only URLs that need no DNS are exempt from the guard.
  @Test(
    arguments: [
      ("http://127.0.0.1:8080/feed", true), ("http://[::1]/feed", true), ("http://localhost/feed", true),
      ("file:///srv/feed.xml", true), ("exec:backup-report", true), ("https://new.example/feed", nil),
      ("http://127.0.0.1.nip.example/", nil),
    ] as [(String, Bool?)]
  )
  func `A typed URL is exempt from the address guard only if it does not depend on DNS`(
    _ url: String,
    _ isExempt: Bool?
  )
    async throws
  {
    let id = store.insert("https://old.example/")
    #expect(try await editor.setURL(of: id, to: url).settings.allowsLocalOrigin == isExempt)
  }

  @Test func `Applying a redirect to another subscription's URL is rejected`() async throws {
    let moved = MovedLocation(url: "https://new.example/", firstSeen: clock.now(), polls: 1)
    let id = store.insert("https://old.example/", state: FetchState(movedTo: moved))
    store.insert("https://new.example/")
    await #expect(throws: StoreError.self) { try await editor.apply(id) }
    #expect(store.state(id).movedTo == moved)
  }
}
