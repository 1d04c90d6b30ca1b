@testable import NewsCore
import Testing

/// The time is noon on Friday, 20 November 2026; the random number is 0 unless a test sets it.
@Suite struct `Poll policy` {
  static let now = Timestamp(CivilTime(year: 2026, month: 11, day: 20, hour: 12))
  static let url = "https://a.example/feed"
  let policy = PollPolicy()

  static func response(_ status: Int = 200, _ headers: [(name: String, value: String)] = []) -> FetchResponse
  {
    FetchResponse(status: status, headers: headers, url: url, received: now)
  }

  func context(_ change: (inout PollPolicy.Context) -> Void = { _ in }) -> PollPolicy.Context {
    // Items every 20 minutes: the rhythm alone gives the shortest interval.
    var context = PollPolicy.Context(
      now: Self.now,
      url: Self.url,
      recentTimes: (0..<8).map { Self.now - Int64($0) * 1200 },
      random: 0
    )
    change(&context)
    return context
  }

  func parsed(_ headers: [(name: String, value: String)], _ hints: PollHints = PollHints())
    -> PollPolicy.Exchange
  {
    .parsed(Self.response(200, headers), hints, bodyHash: 7)
  }

  // MARK: Response fields

  struct Headers: CustomTestStringConvertible {
    var fields: [(name: String, value: String)]
    /// Seconds from now.
    var due: Int64
    var reason: DueReason
    init(_ due: Int64, _ reason: DueReason, _ fields: (name: String, value: String)...) {
      self.fields = fields
      self.due = due
      self.reason = reason
    }
    var testDescription: String { fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ") }
  }

  @Test(arguments: [
    Headers(900, .adaptive),
    Headers(3600, .maxAge, ("Cache-Control", "max-age=3600")),
    Headers(3600, .maxAge, ("cache-control", "public, MAX-AGE=3600, must-revalidate")),
    Headers(3600, .maxAge, ("Cache-Control", "max-age=\"3600\"")),
    Headers(3600, .maxAge, ("Cache-Control", "public"), ("Cache-Control", "max-age=3600")),
    Headers(3000, .maxAge, ("Cache-Control", "max-age=3600"), ("Age", "600")),
    Headers(900, .adaptive, ("Cache-Control", "max-age=3600"), ("Age", "4000")),
    Headers(900, .adaptive, ("Cache-Control", "max-age=60")),
    Headers(900, .adaptive, ("Cache-Control", "max-age=0")),
    Headers(900, .adaptive, ("Cache-Control", "max-age=soon")),
    Headers(900, .adaptive, ("Cache-Control", "no-cache")),
    Headers(900, .adaptive, ("Cache-Control", "no-store")),
    Headers(900, .adaptive, ("Cache-Control", "s-maxage=7200")),
    Headers(86_400, .maxAge, ("Cache-Control", "max-age=31536000")),
    Headers(86_400, .maxAge, ("Cache-Control", "max-age=99999999999999999999999")),
    Headers(
      7200,
      .expires,
      ("Expires", "Fri, 20 Nov 2026 14:00:00 GMT"),
      ("Date", "Fri, 20 Nov 2026 12:00:00 GMT")
    ),
    // The server's clock is an hour slow: the difference counts.
    Headers(
      7200,
      .expires,
      ("Expires", "Fri, 20 Nov 2026 13:00:00 GMT"),
      ("Date", "Fri, 20 Nov 2026 11:00:00 GMT")
    ),
    Headers(7200, .expires, ("Expires", "Fri, 20 Nov 2026 14:00:00 GMT")),
    Headers(5400, .expires, ("Expires", "Fri, 20 Nov 2026 14:00:00 GMT"), ("Age", "1800")),
    Headers(900, .adaptive, ("Expires", "0")),
    Headers(900, .adaptive, ("Expires", "Thu, 01 Jan 1970 00:00:00 GMT")),
    // max-age overrides Expires (RFC 9111 section 5.3).
    Headers(3600, .maxAge, ("Cache-Control", "max-age=3600"), ("Expires", "Fri, 20 Nov 2026 20:00:00 GMT")),
    Headers(900, .adaptive, ("Cache-Control", "max-age=0"), ("Expires", "Fri, 20 Nov 2026 20:00:00 GMT")),
  ])
  func `Caching fields set the earliest next poll`(_ row: Headers) {
    let state = policy.state(after: parsed(row.fields), of: FetchState(), in: context())
    #expect(state.nextDue == Self.now + row.due)
    #expect(state.nextDueReason == row.reason)
  }

  @Test func `A 304 without max-age keeps the stored max-age, reduced by Age`() {
    let first = policy.state(
      after: parsed([("Cache-Control", "max-age=7200")]),
      of: FetchState(),
      in: context()
    )
    #expect(first.maxAge == 7200)
    let second = policy.state(
      after: .notModified(Self.response(304, [("Age", "600")])),
      of: first,
      in: context()
    )
    #expect(second.nextDue == Self.now + 6600)
    #expect(second.maxAge == 7200)
    let third = policy.state(
      after: .notModified(Self.response(304, [("Cache-Control", "max-age=3600")])),
      of: second,
      in: context()
    )
    #expect(third.nextDue == Self.now + 3600)
    let fourth = policy.state(after: .sameBody(Self.response()), of: third, in: context())
    #expect(fourth.maxAge == nil)
    #expect(fourth.nextDueReason == .adaptive)
  }

  // MARK: Hints of the document

  struct Hints: CustomTestStringConvertible {
    var hints: PollHints
    /// Seconds from now.
    var due: Int64
    var reason: DueReason
    init(_ due: Int64, _ reason: DueReason, _ hints: PollHints) {
      self.hints = hints
      self.due = due
      self.reason = reason
    }
    var testDescription: String { "\(reason) after \(due) s" }
  }

  static let threeOClock2000 = Timestamp(CivilTime(year: 2000, month: 1, day: 1, hour: 15))
  static let threeOClock2030 = Timestamp(CivilTime(year: 2030, month: 1, day: 1, hour: 15))
  static let friday: UInt8 = 1 << 5
  static let weekend: UInt8 = 1 << 6 | 1

  @Test(arguments: [
    Hints(3600, .ttl, PollHints(ttl: 60)),
    Hints(900, .adaptive, PollHints(ttl: 5)),
    Hints(900, .adaptive, PollHints(ttl: 0)),
    Hints(900, .adaptive, PollHints(ttl: -5)),
    Hints(86_400, .ttl, PollHints(ttl: 100_000)),
    Hints(86_400, .ttl, PollHints(ttl: Int.max)),
    Hints(7200, .updatePeriod, PollHints(updateInterval: 7200)),
    Hints(86_400, .updatePeriod, PollHints(updateInterval: 2_592_000)),
    Hints(900, .adaptive, PollHints(updateInterval: 600)),
    // Daily at 15:00: three hours from now, whatever the year of the base.
    Hints(10_800, .updatePeriod, PollHints(updateInterval: 86_400, updateBase: threeOClock2000)),
    Hints(10_800, .updatePeriod, PollHints(updateInterval: 86_400, updateBase: threeOClock2030)),
    // The longest wait wins.
    Hints(7200, .updatePeriod, PollHints(ttl: 60, updateInterval: 7200)),
    Hints(10_800, .ttl, PollHints(ttl: 180, updateInterval: 7200)),
    // Hours 12 and 13 UTC are excluded: poll at the same minute of hour 14.
    Hints(8100, .skipHours, PollHints(skipHours: 0x3000)),
    Hints(900, .adaptive, PollHints(skipHours: 0xFF_FFFF)),
    // Friday is excluded: poll in the first hour of Saturday.
    Hints(44_100, .skipDays, PollHints(skipDays: friday)),
    Hints(900, .adaptive, PollHints(skipDays: 0x7F)),
    // Friday to Sunday and the first three hours of Monday are excluded.
    Hints(227_700, .skipDays, PollHints(skipHours: 0b111, skipDays: friday | weekend)),
  ])
  func `Hints of the document set the earliest next poll`(_ row: Hints) {
    let state = policy.state(after: parsed([], row.hints), of: FetchState(), in: context())
    #expect(state.nextDue == Self.now + row.due)
    #expect(state.nextDueReason == row.reason)
    #expect(state.hints == row.hints)
  }

  @Test func `Hints survive a 304, and a retry after a failure avoids excluded hours`() {
    let hints = PollHints(ttl: 120, skipHours: 1 << 13)
    let state = policy.state(after: parsed([], hints), of: FetchState(), in: context())
    let unchanged = policy.state(after: .notModified(Self.response(304)), of: state, in: context())
    #expect(unchanged.nextDue == Self.now + 7200)
    var failing = state
    failing.interval = 3600
    let failed = policy.state(after: .refused(Self.response(500), message: ""), of: failing, in: context())
    #expect(failed.nextDue == Self.now + 7200)
  }

  @Test func `The user's limits take precedence over hints`() {
    var settings = FeedSettings()
    settings.minimumInterval = 300
    settings.maximumInterval = 1800
    let hinted = policy.state(
      after: parsed([("Cache-Control", "max-age=7200")]),
      of: FetchState(),
      in: context { $0.settings = settings }
    )
    #expect(hinted.nextDue == Self.now + 1800)
    let busy = policy.state(
      after: parsed([]),
      of: FetchState(),
      in: context {
        $0.settings = settings; $0.recentTimes = (0..<9).map { Self.now - $0 * 400 }
      }
    )
    #expect(busy.nextDue == Self.now + 300)
  }

  @Test func `Jitter never makes a poll earlier than requested or later than a day`() {
    for step in 0..<10 {
      let random = Double(step) / 10
      let hour = policy.state(
        after: parsed([("Cache-Control", "max-age=3600")]),
        of: FetchState(),
        in: context { $0.random = random }
      )
      #expect((3600...3780).contains((hour.nextDue ?? Self.now) - Self.now))
      let day = policy.state(
        after: parsed([], PollHints(ttl: 1440)),
        of: FetchState(),
        in: context { $0.random = random }
      )
      #expect(day.nextDue == Self.now + 86_400)
    }
  }

  @Test func `Jitter spreads feeds that were polled together, even those at the interval limits`() {
    let rhythms: [[Timestamp]] = [
      (0..<8).map { Self.now - Int64($0) * 600 }, (0..<8).map { Self.now - Int64($0) * 14_400 },
      [Self.now - 900_000],
    ]
    for times in rhythms {
      let dues = (0..<10).map { step in
        policy.state(
          after: parsed([]),
          of: FetchState(),
          in: context {
            $0.random = Double(step) / 10; $0.recentTimes = times
          }
        ).nextDue
      }
      #expect(Set(dues).count == 10)
      #expect(dues.allSatisfy { (900...86_400).contains(($0 ?? Self.now) - Self.now) })
    }
  }

  @Test func `With many feeds on one site each is polled less often`() {
    let state = policy.state(after: parsed([]), of: FetchState(), in: context { $0.siteFeeds = 1000 })
    #expect(state.nextDue == Self.now + 2000)
    #expect(state.nextDueReason == .hostBudget)
  }

  // MARK: Validators

  @Test func `Validators are stored as a pair, byte for byte, and a 200 replaces both`() {
    let state = policy.state(
      after: parsed([("etag", "W/\"a, b\" "), ("Last-Modified", "yesterday, perhaps")]),
      of: FetchState(),
      in: context()
    )
    #expect(
      state.validators == Validators(etag: "W/\"a, b\" ", lastModified: "yesterday, perhaps", url: Self.url)
    )
    let next = policy.state(after: parsed([("ETag", "2")]), of: state, in: context())
    #expect(next.validators == Validators(etag: "2", url: Self.url))
    #expect(policy.state(after: .sameBody(Self.response()), of: state, in: context()).validators == nil)
  }

  @Test func `A 304 replaces the validators that it carries and keeps the others`() {
    var state = FetchState()
    state.validators = Validators(etag: "1", lastModified: "then", url: Self.url)
    let next = policy.state(
      after: .notModified(Self.response(304, [("ETag", "2")])),
      of: state,
      in: context()
    )
    #expect(next.validators == Validators(etag: "2", lastModified: "then", url: Self.url))
  }

  @Test(arguments: [429, 500, 502, 503, 404, 403, 301])
  func `An error status keeps validators and body hash`(_ status: Int) {
    var state = FetchState()
    state.validators = Validators(etag: "1", url: Self.url)
    state.bodyHash = 7
    let next = policy.state(after: .refused(Self.response(status), message: "no"), of: state, in: context())
    #expect(next.validators == state.validators)
    #expect(next.bodyHash == 7)
    #expect(next.failures == 1)
    #expect(next.lastStatus == status)
  }

  @Test(arguments: [(400, 1, true), (400, 3000, false), (412, 1, false), (431, 1, true), (431, 300, false)])
  func `A status that blames the request's fields drops the validators that may be the cause`(
    _ status: Int,
    _ length: Int,
    _ keeps: Bool
  ) {
    var state = FetchState()
    state.validators = Validators(etag: String(repeating: "x", count: length), url: Self.url)
    state.bodyHash = 7
    let next = policy.state(after: .refused(Self.response(status), message: "no"), of: state, in: context())
    #expect((next.validators != nil) == keeps)
    #expect(next.bodyHash == 7)
    #expect(next.failures == 1)
  }

  @Test func `Validators that are too long to be sent back are not stored`() {
    let tag = String(repeating: "x", count: 8000)
    let next = policy.state(
      after: parsed([("ETag", tag), ("Last-Modified", "then")]),
      of: FetchState(),
      in: context()
    )
    #expect(next.validators == nil)
  }

  // MARK: Failures

  @Test func `Failures double the interval, up to seven days, and a success ends them`() throws {
    var state = FetchState()
    state.interval = 3600
    var waits: [Int64] = []
    for count in 1...12 {
      state = policy.state(
        after: .failed(FetchError(code: .timedOut, message: "slow")),
        of: state,
        in: context()
      )
      waits.append(try #require(state.nextDue) - Self.now)
      #expect(state.nextDueReason == .backoff(count))
    }
    #expect(Array(waits.prefix(5)) == [3600, 7200, 14_400, 28_800, 57_600])
    #expect(waits.suffix(4).allSatisfy { $0 == 7 * 86_400 })
    #expect(state.failingSince == Self.now)
    #expect(state.lastError == "slow")
    let healed = policy.state(after: parsed([]), of: state, in: context())
    #expect(healed.failures == 0)
    #expect(healed.failingSince == nil)
    #expect(healed.lastError == nil)
    #expect(healed.nextDue == Self.now + 900)
  }

  @Test func `Jitter spreads retries, but each wait is longer than the previous one`() throws {
    for first in [0.0, 0.5, 0.99] {
      for second in [0.0, 0.5, 0.99] {
        let error = PollPolicy.Exchange.failed(FetchError(code: .refused, message: ""))
        let one = policy.state(after: error, of: FetchState(), in: context { $0.random = first })
        let two = policy.state(after: error, of: one, in: context { $0.random = second })
        #expect(try #require(one.nextDue) < #require(two.nextDue))
      }
    }
  }

  @Test(arguments: [
    (429, "1200", 1200), (503, "1200", 1200), (429, " 1200 ", 1200),
    (429, "Fri, 20 Nov 2026 13:00:00 GMT", 3600),
    (503, "Friday, 20-Nov-26 13:00:00 GMT", 3600), (429, "864000", 7 * 86_400),
    (429, "99999999999999999999999999", 7 * 86_400),
  ])
  func `Retry-After postpones the feed and its whole host`(_ status: Int, _ value: String, _ wait: Int64) {
    let state = policy.state(
      after: .refused(Self.response(status, [("Retry-After", value)]), message: ""),
      of: FetchState(),
      in: context()
    )
    #expect(state.nextDue == Self.now + wait)
    #expect(state.nextDueReason == .retryAfter)
    #expect(state.cooldown == HostCooldown(host: "a.example", until: Self.now + wait))
  }

  @Test(arguments: ["soon", "", "-5", "0", "Fri, 20 Nov 2026 11:00:00 GMT"])
  func `A 429 without a usable Retry-After is an ordinary failure`(_ value: String) {
    let state = policy.state(
      after: .refused(Self.response(429, [("Retry-After", value)]), message: ""),
      of: FetchState(failures: 1, interval: 3600),
      in: context()
    )
    #expect(state.cooldown == nil)
    #expect((state.nextDue ?? Self.now) >= Self.now + 3600)
  }

  @Test func `If the server's clock is two hours off, a date in Retry-After is relative to its Date`() {
    let headers = [
      ("Retry-After", "Fri, 20 Nov 2026 10:20:00 GMT"), ("Date", "Fri, 20 Nov 2026 10:00:00 GMT"),
    ]
    let state = policy.state(
      after: .refused(Self.response(503, headers.map { (name: $0.0, value: $0.1) }), message: ""),
      of: FetchState(),
      in: context()
    )
    #expect(state.nextDue == Self.now + 1200)
  }

  @Test func `A short Retry-After does not shorten the wait of an earlier max-age`() {
    var state = FetchState(lastSuccess: Self.now - 100, interval: 900)
    state.maxAge = 20_000
    let exchange = PollPolicy.Exchange.refused(Self.response(503, [("Retry-After", "5")]), message: "")
    let next = policy.state(after: exchange, of: state, in: context())
    #expect(next.nextDue == Self.now + 19_900)
    #expect(next.nextDueReason == .retryAfter)
  }

  @Test func `Repeated 429 answers lengthen the wait`() {
    var state = FetchState(interval: 3600)
    let exchange = PollPolicy.Exchange.refused(Self.response(429, [("Retry-After", "60")]), message: "")
    var waits: [Int64] = []
    for _ in 0..<4 {
      state = policy.state(after: exchange, of: state, in: context())
      waits.append((state.nextDue ?? Self.now) - Self.now)
    }
    // A minute is less than the shortest interval.
    #expect(waits == [900, 3600, 7200, 14_400])
  }

  @Test func `A network outage changes only the next due time, which backs off`() {
    var state = FetchState(
      failures: 2,
      interval: 3600,
      movedTo: MovedLocation(url: "https://b.example/", firstSeen: Self.now, polls: 1)
    )
    state.validators = Validators(etag: "1", url: Self.url)
    var waits: [Int64] = []
    for _ in 0..<6 {
      let next = policy.stateWhenNetworkIsDown(state, message: "no host", in: context())
      #expect(next.failures == 2)
      #expect(next.movedTo == state.movedTo)
      #expect(next.validators == state.validators)
      #expect(next.nextDueReason == .networkDown)
      waits.append((next.nextDue ?? Self.now) - Self.now)
      state = next
    }
    #expect(waits == [60, 120, 240, 480, 900, 900])
  }
}
