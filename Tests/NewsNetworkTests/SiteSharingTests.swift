import NewsCore
import Synchronization
import Testing

@testable import NewsNetwork

/// The state that processes share, in memory.
private final class SharedSites: Sendable {
  private struct State {
    var taken: [String: Set<Int>] = [:]
    var starts: [String: Int64] = [:]
    var waiting: [String: Set<ObjectIdentifier>] = [:]
  }

  /// The access of one process to the shared state.
  final class View: SiteSharing {
    private let all: SharedSites

    init(_ all: SharedSites) { self.all = all }

    func acquire(_ site: String, besides held: [Int], _ request: SiteRequest) -> SiteEntry {
      all.acquire(site, request)
    }

    func release(_ site: String, slot: Int) -> Bool {
      all.state.withLock { state in
        state.taken[site]?.remove(slot)
        return state.waiting[site]?.contains { $0 != ObjectIdentifier(self) } ?? false
      }
    }

    func announceWaiting(for site: String) {
      all.state.withLock { _ = $0.waiting[site, default: []].insert(ObjectIdentifier(self)) }
    }

    func withdrawWaiting(for site: String) {
      all.state.withLock { _ = $0.waiting[site]?.remove(ObjectIdentifier(self)) }
    }
  }

  var isAwaited: Bool { state.withLock { $0.waiting.values.contains { !$0.isEmpty } } }

  private let state = Mutex(State())

  private func acquire(_ site: String, _ request: SiteRequest) -> SiteEntry {
    state.withLock { state in
      if request.isSpaced, let last = state.starts[site], last + request.spacing > request.now {
        return .later(until: last + request.spacing)
      }
      let free = (0..<request.limit).first { !(state.taken[site]?.contains($0) ?? false) }
      guard let place = free else { return .busy(lastStart: state.starts[site]) }
      state.taken[site, default: []].insert(place)
      state.starts[site] = request.now
      return .acquired(slot: place)
    }
  }
}

@Suite struct `Limits on requests per site across several processes` {
  private var first: SiteGate<Int>
  private var second: SiteGate<Int>
  private let shared = SharedSites()

  init() {
    first = SiteGate(perSite: 2, spacing: 1000, others: SharedSites.View(shared))
    second = SiteGate(perSite: 2, spacing: 1000, others: SharedSites.View(shared))
  }

  private func expect(
    _ gate: inout SiteGate<Int>,
    now: Int64,
    _ expected: [Int],
    _ location: SourceLocation = #_sourceLocation
  ) {
    let started = drain(&gate, now: now)
    #expect(started == expected, sourceLocation: location)
  }

  private func drain(_ gate: inout SiteGate<Int>, now: Int64) -> [Int] {
    var ids: [Int] = []
    while let (id, _) = gate.next(now: now) { ids.append(id) }
    return ids
  }

  @Test
  mutating func `Processes share a site's slots, and a waiting process looks for them at intervals`() throws {
    for id in 1...3 { first.enqueue(id, site: "a", isUrgent: true, now: 0) }
    for id in 11...12 { second.enqueue(id, site: "a", isUrgent: true, now: 0) }
    expect(&first, now: 0, [1, 2])
    expect(&second, now: 0, [])
    expect(&second, now: 10, [])
    let look = try #require(second.nextTime)
    #expect(look > 10 && look <= 100)
    first.finished(site: "a", now: 20)
    expect(&second, now: look, [11])
    expect(&first, now: look, [])
    second.finished(site: "a", now: look)
    first.finished(site: "a", now: look)
    expect(&first, now: look + 100, [3])
    expect(&second, now: look + 100, [12])
  }

  @Test mutating func `The spacing of scheduled requests holds across processes; urgent requests ignore it`()
  {
    first.enqueue(1, site: "a", isUrgent: false, now: 0)
    expect(&first, now: 0, [1])
    second.enqueue(11, site: "a", isUrgent: false, now: 400)
    second.enqueue(12, site: "b", isUrgent: false, now: 400)
    expect(&second, now: 400, [12])
    second.enqueue(13, site: "a", isUrgent: true, now: 500)
    expect(&second, now: 500, [13])
    second.finished(site: "a", now: 600)
    // One second after the urgent request, not after the first one.
    expect(&second, now: 1000, [])
    expect(&second, now: 1500, [11])
  }

  @Test mutating func `A waiting process gets the next slot before a process with more requests`() throws {
    for id in 1...9 { first.enqueue(id, site: "a", isUrgent: true, now: 0) }
    expect(&first, now: 0, [1, 2])
    for id in 11...19 { second.enqueue(id, site: "a", isUrgent: true, now: 10) }
    expect(&second, now: 10, [])
    #expect(shared.isAwaited)
    // The loop calls again at once, but the slot is left to the waiting process.
    first.finished(site: "a", now: 20)
    expect(&first, now: 20, [])
    let look = try #require(second.nextTime)
    expect(&second, now: look, [11])
    expect(&second, now: look, [])
    let turn = try #require(first.nextTime)
    #expect(turn > look)
    expect(&first, now: turn, [])
    // Now the first process waits.
    second.finished(site: "a", now: turn + 60)
    expect(&second, now: turn + 60, [])
    expect(&first, now: turn + 60, [3])
    for id in 12...19 where second.withdraw(id) {}
    for id in 4...9 where first.withdraw(id) {}
    expect(&first, now: turn + 500, [])
    expect(&second, now: turn + 500, [])
    #expect(!shared.isAwaited)
  }

  @Test mutating func `A process without a slot starts 150 seconds after the last start at the site`() {
    for id in 1...2 { first.enqueue(id, site: "a", isUrgent: true, now: 0) }
    expect(&first, now: 0, [1, 2])
    second.enqueue(11, site: "a", isUrgent: true, now: 0)
    var third = SiteGate<Int>(perSite: 2, spacing: 1000, others: SharedSites.View(shared))
    third.enqueue(21, site: "a", isUrgent: true, now: 0)
    expect(&second, now: 100_000, [])
    expect(&third, now: 100_000, [])
    first.finished(site: "a", now: 140_000)
    expect(&second, now: 140_000, [11])
    #expect(third.next(now: 151_000) == nil)
    #expect(third.next(now: 289_000) == nil)
    #expect(third.next(now: 290_000)?.id == 21)
    // The wait for stopped processes happens once, not for each request.
    third.enqueue(22, site: "a", isUrgent: true, now: 290_010)
    #expect(third.next(now: 290_010)?.id == 22)
  }

  @Test mutating func `A stopped process does not block others forever`() {
    for id in 1...2 { first.enqueue(id, site: "a", isUrgent: true, now: 0) }
    expect(&first, now: 0, [1, 2])
    second.enqueue(11, site: "a", isUrgent: true, now: 0)
    var now: Int64 = 0
    var started: [Int] = []
    while started.isEmpty, now < 1_000_000 {
      started = drain(&second, now: now)
      now = max(now + 1, second.nextTime ?? now + 1)
    }
    #expect(started == [11])
    #expect((120_000...200_000).contains(now))
  }

  @Test mutating func `A request withdrawn while other processes hold all slots never starts`() {
    for id in 1...2 { first.enqueue(id, site: "a", isUrgent: true, now: 0) }
    expect(&first, now: 0, [1, 2])
    second.enqueue(11, site: "a", isUrgent: true, now: 0)
    second.enqueue(12, site: "a", isUrgent: false, now: 0)
    expect(&second, now: 0, [])
    let wasWaiting = second.withdraw(11)
    #expect(wasWaiting)
    for _ in 1...2 { first.finished(site: "a", now: 40) }
    expect(&second, now: 1040, [12])
  }
}

@Suite struct `Start times of requests reported by other processes` {
  /// Simulates another process that holds all slots and reports this start time.
  private struct Busy: SiteSharing {
    var lastStart: Int64
    func acquire(_ site: String, besides held: [Int], _ request: SiteRequest) -> SiteEntry {
      .busy(lastStart: lastStart)
    }
    func release(_ site: String, slot: Int) -> Bool { false }
    func announceWaiting(for site: String) {}
    func withdrawWaiting(for site: String) {}
  }

  @Test
  func `A request without the shared limits does not wait for other processes, nor for requests that do`() {
    var gate = SiteGate<Int>(perSite: 2, spacing: 0, others: Busy(lastStart: 1000))
    gate.enqueue(1, site: "a", isUrgent: true, now: 1000)
    gate.enqueue(2, site: "a", isUrgent: true, isShared: false, now: 1000)
    #expect(gate.next(now: 1000)?.id == 2)
    #expect(gate.next(now: 1000) == nil)
  }

  @Test(arguments: [Int64.min, -1, .max]) func `An implausible start time is ignored`(time: Int64) {
    var gate = SiteGate<Int>(perSite: 1, spacing: 0, others: Busy(lastStart: time))
    gate.enqueue(1, site: "a", isUrgent: true, now: 1000)
    #expect(gate.next(now: 1000) == nil)
    #expect(gate.next(now: 150_999) == nil)
    #expect(gate.next(now: 151_050)?.id == 1)
  }
}
