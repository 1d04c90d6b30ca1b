@testable import NewsCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Refreshing` {
  let clock = ManualClock()
  let store = FakeStore()
  let web: FakeWeb

  init() {
    web = FakeWeb(clock: clock)
  }

  var refresher: Refresher { refresher(RefreshOptions()) }

  func refresher(_ options: RefreshOptions, parser: FakeParser = FakeParser()) -> Refresher {
    var options = options
    options.random = { 0.5 }
    return Refresher(
      fetcher: web,
      parser: parser,
      store: store,
      editor: store,
      clock: clock,
      options: options
    )
  }

  static let body = "feed News\nitem a 1795000000 First\nitem b 1795003600 Second\n"

  @Test func `A feed is fetched, parsed and stored`() async {
    let id = store.insert("https://a.example/feed")
    web.set("https://a.example/feed", .response(200, ["ETag": "\"1\""], Self.body))
    let outcome = await refresher.refresh(id)
    guard case .updated(let new, let changed) = outcome.result else {
      Issue.record("\(outcome.result)")
      return
    }
    #expect(new.count == 2)
    #expect(changed.isEmpty)
    #expect(store.state(id).validators == Validators(etag: "\"1\"", url: "https://a.example/feed"))
    #expect(store.state(id).nextDue.map { $0 > clock.now() } == true)
  }

  @Test func `The second request sends the validators, and a 304 keeps all items`() async {
    let id = store.insert("https://a.example/feed")
    web.set("https://a.example/feed", .response(200, ["ETag": "\"1\""], Self.body), .response(304, [:], ""))
    _ = await refresher.refresh(id)
    let outcome = await refresher.refresh(id)
    #expect(outcome.result == .unchanged)
    #expect(web.requests.last?.validators?.etag == "\"1\"")
    #expect(store.items(id).count == 2)
    #expect(store.state(id).lastStatus == 304)
  }

  @Test func `A body that is equal to the last one counts as unchanged and is not parsed again`() async {
    let id = store.insert("https://a.example/feed")
    web.set("https://a.example/feed", .response(200, [:], Self.body))
    let parsed = Mutex(0)
    let counting = self.refresher(RefreshOptions(), parser: FakeParser { parsed.withLock { $0 += 1 } })
    _ = await counting.refresh(id)
    #expect(await counting.refresh(id).result == .unchanged)
    #expect(web.requests.count == 2)
    #expect(parsed.withLock { $0 } == 1)
    #expect(store.state(id).failures == 0)
  }

  @Test func `A document that an older newsd parsed is fetched whole and parsed again once, within a day`()
    async
  {
    let id = store.insert("https://a.example/feed")
    web.set("https://a.example/feed", .response(200, ["ETag": "\"1\""], Self.body))
    let parsed = Mutex(0)
    let counting = self.refresher(RefreshOptions(), parser: FakeParser { parsed.withLock { $0 += 1 } })
    _ = await counting.refresh(id)
    store.with { content in
      let place = content.feeds.firstIndex { $0.id == id }
      if let place { content.feeds[place].fetchState.bodyHash = BodyHash.of(Array(Self.body.utf8)) }
    }
    var polls = 0
    repeat {
      clock.advance(3600)
      _ = await counting.refresh(id)
      polls += 1
    } while web.requests.last?.validators != nil && polls < 30
    #expect(polls <= 24)
    #expect(parsed.withLock { $0 } == 2)
    // The other polls were conditional; the same body was not parsed again in them.
    #expect(web.requests.filter { $0.validators == nil }.count == 2)
    clock.advance(86_400)
    #expect(await counting.refresh(id).result == .unchanged)
    #expect(web.requests.last?.validators != nil && parsed.withLock { $0 } == 2)
  }

  @Test func `Feeds learn again at different times of the day`() {
    let start = Timestamp(CivilTime(year: 2026, month: 11, day: 20))
    let state = FetchState(bodyHash: 7, lastFetched: start)
    let first = (1...240).filter {
      state.learnsAgain(as: Feed.ID(rawValue: Int64($0)), at: start + 3600)
    }
    #expect((2...30).contains(first.count))
    let all = (1...240).filter { state.learnsAgain(as: Feed.ID(rawValue: Int64($0)), at: start + 86_400) }
    #expect(all.count == 240)
  }

  @Test func `A 200 without a feed keeps the items and drops the validators`() async {
    let id = store.insert("https://a.example/feed")
    web.set(
      "https://a.example/feed",
      .response(200, ["ETag": "\"1\""], Self.body),
      .response(200, ["ETag": "\"2\""], "html\n"),
      .response(200, ["ETag": "\"1\""], Self.body)
    )
    _ = await refresher.refresh(id)
    let outcome = await refresher.refresh(id)
    guard case .failed(let failure) = outcome.result else {
      Issue.record("\(outcome.result)")
      return
    }
    #expect(failure.code == .notAFeed(.htmlPage))
    #expect(store.items(id).count == 2)
    #expect(store.state(id).validators == nil)
    #expect(store.state(id).bodyHash == nil)
    _ = await refresher.refresh(id)
    #expect(web.requests.last?.validators == nil)
    #expect(store.state(id).failures == 0)
  }

  @Test func `A field that was truncated at its limit is noted for the log`() async {
    let id = store.insert("https://a.example/feed")
    web.set(
      "https://a.example/feed",
      .response(200, [:], "feed News\nlimit A field is too long.\nitem a 1795000000 A")
    )
    let outcome = await refresher.refresh(id)
    #expect(outcome.notes == ["A field is too long."])
    #expect(store.items(id).map(\.id) == ["a"])
  }

  @Test func `A truncated body keeps its complete items and no validators`() async {
    let id = store.insert("https://a.example/feed")
    web.set("https://a.example/feed", .truncated("feed News\nitem a 1795000000 First\nitem b 17950\nitem"))
    let outcome = await refresher.refresh(id)
    #expect(store.items(id).map(\.id) == ["a"])
    #expect(store.state(id).validators == nil)
    #expect(store.state(id).bodyHash == nil)
    #expect(!outcome.notes.isEmpty)
  }

  @Test func `A feed that never answers does not delay storing the others`() async throws {
    let dead = store.insert("https://dead.example/feed")
    web.set("https://dead.example/feed", .stall)
    for n in 0..<20 {
      store.insert("https://h\(n).example/feed")
      web.set("https://h\(n).example/feed", .response(200, [:], Self.body))
    }
    let finished = Mutex(0)
    let refresher = refresher
    let run = Task {
      try await refresher.refreshAll(.all) { event in
        if case .finished = event { finished.withLock { $0 += 1 } }
      }
    }
    try await eventually { finished.withLock({ $0 }) >= 20 }
    #expect(store.items(Feed.ID(rawValue: 2)).count == 2)
    run.cancel()
    let summary = try await run.value
    #expect(summary.updated == 20)
    #expect(summary.skipped == 1)
    #expect(store.state(dead) == FetchState())
  }

  @Test func `Many feeds are stored in few transactions`() async throws {
    for n in 0..<300 {
      store.insert("https://h\(n).example/feed")
      web.set("https://h\(n).example/feed", .response(200, [:], Self.body))
    }
    let summary = try await refresher.refreshAll(.all)
    #expect(summary.updated == 300)
    #expect(summary.newItems == 600)
    #expect(store.with { $0.commits.reduce(0, +) } == 300)
    #expect(store.with { $0.commits.count } < 30)
  }

  @Test(.timeLimit(.minutes(5)))
  func `A transaction starts before the batch is full if all feeds in memory wait for it`() async throws {
    for n in 0..<60 {
      store.insert("https://h\(n).example/feed")
      web.set("https://h\(n).example/feed", .response(200, [:], Self.body))
    }
    var options = RefreshOptions(heldBytes: 10 * Self.body.utf8.count)
    options.commitBytes = .max
    options.commitItems = .max
    options.commitDelay = 3_600_000
    let summary = try await refresher(options).refreshAll(.all)
    #expect(summary.updated == 60)
    #expect(store.with { $0.commits.count } >= 10)
  }

  @Test func `The feeds of two stores are all parsed, although no two documents fit in their memory`()
    async throws
  {
    let others = FakeStore()
    for n in 0..<20 {
      for store in [store, others] { store.insert("https://h\(n).example/feed") }
      web.set("https://h\(n).example/feed", .response(200, [:], Self.body))
    }
    var options = RefreshOptions()
    options.memory = MemoryBudget(documents: 2)
    let first = refresher(options)
    let second = Refresher(
      fetcher: web,
      parser: FakeParser(),
      store: others,
      editor: others,
      clock: clock,
      options: options
    )
    async let summary = first.refreshAll(.all)
    #expect(try await second.refreshAll(.all).updated == 20)
    #expect(try await summary.updated == 20)
    #expect(options.memory.taken == 0)
  }

  @Test func `Transfers of one site are limited`() async throws {
    for n in 0..<50 {
      store.insert("https://one.example/\(n)")
      web.set("https://one.example/\(n)", .response(200, [:], Self.body))
    }
    _ = try await refresher.refreshAll(.all)
    #expect(web.mostRunning == 2)
  }

  @Test func `A feed that another process is fetching is skipped`() async throws {
    let theirs = store.insert("https://a.example/feed")
    let ours = store.insert("https://b.example/feed")
    web.set("https://b.example/feed", .response(200, [:], Self.body))
    let claims = FakeClaims(othersHold: [theirs])
    var options = RefreshOptions()
    options.claims = claims
    let skipped = Mutex<[String?]>([])
    let report = { @Sendable (event: RefreshEvent) in
      guard case .finished(let outcome) = event, case .skipped = outcome.result else { return }
      skipped.withLock { $0.append(outcome.url) }
    }
    let summary = try await refresher(options).refreshAll(.all, report: report)
    #expect(summary.skipped == 1)
    #expect(summary.updated == 1)
    #expect(web.visited == ["https://b.example/feed"])
    let named = [theirs: "https://a.example/feed"]
    _ = await refresher(options).refresh(named: [theirs], at: named, report: report)
    // It is named by its address, although the store is not asked for it.
    #expect(skipped.withLock { $0 } == ["https://a.example/feed", "https://a.example/feed"])
    #expect(claims.log.withLock { $0 } == ["claim \(ours.rawValue)", "release \(ours.rawValue)"])
  }

  @Test func `A result that the store refuses because the claim was lost counts as skipped`() async throws {
    store.insert("https://a.example/feed")
    web.set("https://a.example/feed", .response(200, [:], Self.body))
    store.with { $0.refusals = 1 }
    let summary = try await refresher.refreshAll(.all)
    #expect(summary.skipped == 1)
    #expect(summary.updated == 0)
  }

  @Test func `With a pause, refreshes of all feeds request none that was requested less than a minute ago`()
    async throws
  {
    let id = store.insert("https://a.example/feed")
    web.set("https://a.example/feed", .response(200, [:], Self.body))
    var options = RefreshOptions()
    options.pause = 60
    #expect(try await refresher(options).refreshAll(.all).updated == 1)
    clock.advance(59)
    #expect(try await refresher(options).refreshAll(.all).skipped == 1)
    #expect(web.visited.count == 1)
    // A feed that a person names is requested nevertheless.
    _ = await refresher(options).refresh(named: [id])
    #expect(web.visited.count == 2)
    clock.advance(60)
    #expect(try await refresher(options).refreshAll(.all).skipped == 0)
    #expect(web.visited.count == 3)
  }

  @Test func `A refresh of the due feeds fetches no others`() async throws {
    let soon = store.insert("https://a.example/feed", state: FetchState(nextDue: clock.now() + 60))
    store.insert("https://b.example/feed", state: FetchState(nextDue: clock.now()))
    store.insert("https://c.example/feed")
    let summary = try await refresher.refreshAll(.due)
    #expect(summary.total == 2)
    #expect(!web.visited.contains("https://a.example/feed"))
    #expect(store.state(soon).lastFetched == nil)
  }

  @Test func `A due time years ahead is ignored, because the clock was wrong`() async throws {
    store.insert("https://a.example/feed", state: FetchState(nextDue: clock.now() + 400 * 86_400))
    web.set("https://a.example/feed", .response(200, [:], Self.body))
    #expect(try await refresher.refreshAll(.due).updated == 1)
  }

  @Test func `A record that the store rejects does not affect the other records of its transaction`()
    async throws
  {
    for n in 0..<3 {
      store.insert("https://h\(n).example/feed")
      web.set("https://h\(n).example/feed", .response(200, [:], Self.body))
    }
    let refused = StoreError(code: .other, message: "constraint failed")
    store.with { $0.commitErrors = [refused, refused] }
    let summary = try await refresher.refreshAll(.all)
    #expect(summary.failed == 1)
    #expect(summary.updated == 2)
    #expect(summary.storeError == nil)
  }

  @Test func `A document whose data the store refuses counts as its feed's failure`() async throws {
    let id = store.insert("https://a.example/feed")
    web.set("https://a.example/feed", .response(200, [:], Self.body))
    store.with { $0.commitErrors = [StoreError(code: .badData, message: "a value is too long")] }
    let summary = try await refresher.refreshAll(.all)
    #expect(summary.failed == 1 && summary.storeError == nil)
    let state = store.state(id)
    #expect(state.failures == 1 && state.bodyHash == nil)
    #expect(state.lastError == "the document cannot be stored: a value is too long")
    let report = FailureReport(try await store.feeds(), now: clock.now())
    #expect(report.entries.first?.advice.contains("refuses a value") == true)
    #expect(store.items(id).isEmpty)
  }

  @Test func `Nothing is requested while the store cannot be written`() async throws {
    var ids: [Feed.ID] = []
    for n in 0..<5 {
      ids.append(store.insert("https://h\(n).example/feed"))
      web.set("https://h\(n).example/feed", .response(200, [:], Self.body))
    }
    store.with { $0.probeError = StoreError(code: .unreadable, message: "The file system is read-only.") }
    let summaries = [
      try await refresher.refreshAll(.due), try await refresher.refreshAll(.all),
      await refresher.refresh(named: ids),
    ]
    for summary in summaries {
      #expect(summary.storeError?.code == .unreadable)
      #expect(summary.total == 5)
    }
    #expect(await refresher.refresh(ids[0]).result == .skipped(.cancelled))
    #expect(web.visited.isEmpty)
    store.with { $0.probeError = nil }
    #expect(try await refresher.refreshAll(.due).updated == 5)
  }

  @Test func `A full disk is reported as the store's error, and the feed counts as failed`() async throws {
    store.insert("https://a.example/feed")
    web.set("https://a.example/feed", .response(200, [:], Self.body))
    store.with { $0.commitErrors = [StoreError(code: .full, message: "The disk is full.")] }
    let summary = try await refresher.refreshAll(.all)
    #expect(summary.storeError?.code == .full)
    #expect(summary.failed == 1)
  }
}
