import Glibc
import SeededRandom
import Testing

@testable import NewsCore

/// Simulates a day of polling in virtual time: the queue and the policy are real, the feeds and hosts are invented, and
/// there is no network and no store.
struct PollSimulation {
  struct Result {
    var requests = 0
    var requestsPerFeed: [Int]
    /// Number of polls before the feed's due time.
    var early = 0
    /// Longest delay between a due time and its poll, in seconds.
    var longestDelay: Int64 = 0
    /// Maximum number of polls started in one second.
    var mostPerSecond = 0
    /// Number of feeds that were polled less than once in 25 hours.
    var starved = 0
  }

  /// Seconds between two requests to one site, like the spacing of the network adapter.
  static let spacing: Int64 = 1

  static func run(feeds count: Int, seconds: Int64, seed: UInt64) -> Result {
    var random = SeededRandom(seed: seed)
    let policy = PollPolicy()
    let start = Timestamp(CivilTime(year: 2026, month: 11, day: 20))
    // One feed in fifty belongs to one of five big sites; the others share a site with up to two neighbours.
    let urls = (0..<count).map { n in
      n % 50 == 0 ? "https://big\(n / 50 % 5).example/\(n)" : "https://h\(n / 3).example/\(n)"
    }
    // Publishing intervals from ten minutes to ten days.
    let gaps = (0..<count).map { _ in Int64(600 * pow2(random.next(upTo: 11))) }
    var states = [FetchState](repeating: FetchState(), count: count)
    var queue = PollQueue(overdueRate: max(20, count / 900)) { WebAddress.hostKey(of: $0) }
    queue.update(
      urls.enumerated().map { DueFeed(id: Feed.ID(rawValue: Int64($0)), url: $1, nextDue: nil) },
      now: start,
      random: { random.unit() }
    )
    var result = Result(requestsPerFeed: [Int](repeating: 0, count: count))
    var siteFree: [Int: Int64] = [:]
    var now = start
    let end = start + seconds
    while now < end {
      var begun = 0
      while let id = queue.takeDue(now: now) {
        let feed = Int(id.rawValue)
        let site = queue.siteNumber(id) ?? 0
        let begin = max(now.seconds, siteFree[site] ?? 0)
        siteFree[site] = begin + spacing
        if let due = states[feed].nextDue {
          if begin < due.seconds { result.early += 1 }
          result.longestDelay = max(result.longestDelay, begin - due.seconds)
        }
        result.requests += 1
        result.requestsPerFeed[feed] += 1
        begun += 1
        let time = Timestamp(seconds: begin)
        let newest = time.seconds - time.seconds % gaps[feed]
        let context = PollPolicy.Context(
          now: time,
          url: urls[feed],
          recentTimes: (0..<12).map { Timestamp(seconds: newest - Int64($0) * gaps[feed]) },
          siteFeeds: queue.siteFeeds(id),
          random: random.unit()
        )
        states[feed] = policy.state(
          after: .notModified(FetchResponse(status: 304, url: urls[feed], received: time)),
          of: states[feed],
          in: context
        )
        queue.putBack(id, due: states[feed].nextDue ?? time, now: time)
      }
      result.mostPerSecond = max(result.mostPerSecond, begun)
      now = max(now + 1, queue.nextDue ?? end)
    }
    result.starved = result.requestsPerFeed.count { Int64($0) < max(1, seconds / (25 * 3600)) }
    return result
  }

  private static func pow2(_ exponent: Int) -> Int { 1 << exponent }
}

@Suite struct `A day of polling` {
  /// `NEWSD_SIMULATED_FEEDS=100000 swift test -c release --filter PollSimulation` shows the figures of a large store.
  static let count = getenv("NEWSD_SIMULATED_FEEDS").flatMap { Int(String(cString: $0)) } ?? 2000

  @Test func `No feed is polled early, late or too rarely, and starts are spread`() {
    let result = PollSimulation.run(feeds: Self.count, seconds: 86_400, seed: 1)
    let average = Double(result.requests) / Double(Self.count)
    if Self.count != 2000 {
      print("\(Self.count) feeds: \(average) requests per feed, \(result)".prefix(400))
    }
    #expect(result.early == 0)
    #expect(result.starved == 0)
    #expect(result.longestDelay < 900)
    // At most one poll per quarter of an hour.
    #expect(result.requestsPerFeed.allSatisfy { $0 <= 97 })
    #expect(result.mostPerSecond <= max(40, Self.count / 500))
    #expect((4...60).contains(average), "\(average) requests per feed")
  }
}

@Suite struct `The queue of due feeds` {
  static let now = Timestamp(seconds: 1_795_000_000)

  private func queue(_ dues: [Int64?]) -> PollQueue {
    var queue = PollQueue { WebAddress.hostKey(of: $0) }
    queue.update(Self.list(dues), now: Self.now, random: { 0.5 })
    return queue
  }

  private static func list(_ dues: [Int64?]) -> [DueFeed] {
    dues.enumerated().map {
      DueFeed(id: Feed.ID(rawValue: Int64($0)), url: "https://h.example/\($0)", nextDue: $1.map { now + $0 })
    }
  }

  @Test func `Feeds are taken in the order of their due times`() {
    var random = SeededRandom(seed: 7)
    let dues = (0..<500).map { _ in Int64(random.next(upTo: 100_000)) + 1 }
    var queue = queue(dues)
    var last: Int64 = 0
    for _ in dues {
      let next = queue.nextDue ?? Self.now
      let id = queue.takeDue(now: next)
      #expect(id.map { dues[Int($0.rawValue)] } == next - Self.now)
      #expect(next.seconds >= last)
      last = next.seconds
    }
    #expect(queue.nextDue == nil)
  }

  @Test func `A feed in progress is not taken again before it is put back, even after an update of the list`()
  {
    var queue = queue([nil, 50])
    #expect(queue.takeDue(now: Self.now)?.rawValue == 0)
    queue.update(Self.list([nil, 50]), now: Self.now, random: { 0.5 })
    #expect(queue.takeDue(now: Self.now) == nil)
    queue.putBack(Feed.ID(rawValue: 0), due: Self.now, now: Self.now)
    #expect(queue.takeDue(now: Self.now) == nil)
    #expect(queue.takeDue(now: Self.now + 1)?.rawValue == 0)
  }

  @Test func `If another process has postponed a feed, the queue adopts the later due time`() {
    var queue = queue([10, 20])
    queue.update(Self.list([100, 20]), now: Self.now, random: { 0.5 })
    #expect(queue.takeDue(now: Self.now + 50)?.rawValue == 1)
    #expect(queue.takeDue(now: Self.now + 50) == nil)
    #expect(queue.nextDue == Self.now + 100)
  }

  @Test func `Updating the list changes neither the order of overdue feeds nor a local postponement`() {
    let dues = [Int64?](repeating: -500, count: 200) + [30]
    func turn(_ queue: inout PollQueue, _ second: Int) -> Set<Feed.ID> {
      var ids = Set<Feed.ID>()
      while let id = queue.takeDue(now: Self.now + Int64(second)) { ids.insert(id) }
      return ids
    }
    var queue = queue(dues)
    var other = queue
    for second in 0..<10 {
      let ids = turn(&queue, second)
      #expect(ids.count == 20)
      #expect(ids == turn(&other, second))
      // Feeds that were postponed here, but not in the store, are not taken again either.
      for id in ids { queue.putBack(id, due: Self.now + 60, now: Self.now + Int64(second)) }
      queue.update(Self.list(dues), now: Self.now + Int64(second), random: { 0.1 })
    }
    #expect(turn(&queue, 59).count == 1)
  }

  @Test func `A feed that is missing from the list is removed from the queue`() {
    var queue = queue([10, 20])
    queue.update([Self.list([10, 20])[1]], now: Self.now, random: { 0.5 })
    #expect(queue.count == 1)
    #expect(queue.nextDue == Self.now + 10 || queue.nextDue == Self.now + 20)
    #expect(queue.takeDue(now: Self.now + 60)?.rawValue == 1)
    #expect(queue.siteFeeds(Feed.ID(rawValue: 1)) == 1)
  }
}
