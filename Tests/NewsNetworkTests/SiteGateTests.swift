import NewsCore
import SeededRandom
import Testing

@testable import NewsNetwork

/// All tests use a virtual clock and do not wait.
@Suite struct `Limits and spacing of requests per site` {
  private func drain(_ gate: inout SiteGate<Int>, now: Int64) -> [Int] {
    var ids: [Int] = []
    while let (id, _) = gate.next(now: now) { ids.append(id) }
    return ids
  }

  @Test func `Two requests of a site run at a time, in order`() {
    var gate = SiteGate<Int>(perSite: 2, spacing: 0)
    for id in 1...5 { gate.enqueue(id, site: "a", isUrgent: true, now: 0) }
    #expect(drain(&gate, now: 0) == [1, 2])
    gate.finished(site: "a", now: 10)
    #expect(drain(&gate, now: 10) == [3])
    gate.finished(site: "a", now: 20)
    gate.finished(site: "a", now: 20)
    #expect(drain(&gate, now: 20) == [4, 5])
  }

  @Test func `Scheduled requests to one site start a second apart`() {
    var gate = SiteGate<Int>(perSite: 2, spacing: 1000)
    for id in 1...3 { gate.enqueue(id, site: "a", isUrgent: false, now: 0) }
    #expect(drain(&gate, now: 0) == [1])
    #expect(gate.nextTime == 1000)
    #expect(drain(&gate, now: 999) == [])
    #expect(drain(&gate, now: 1000) == [2])
    // Two requests are running, so the third waits for one of them, not for the spacing.
    #expect(drain(&gate, now: 5000) == [])
    gate.finished(site: "a", now: 5000)
    #expect(drain(&gate, now: 5000) == [3])
  }

  @Test func `Urgent requests are not spaced, and scheduled ones are spaced after them`() {
    var gate = SiteGate<Int>(perSite: 2, spacing: 1000)
    gate.enqueue(1, site: "a", isUrgent: false, now: 0)
    gate.enqueue(2, site: "a", isUrgent: true, now: 0)
    #expect(drain(&gate, now: 0) == [2])
    gate.finished(site: "a", now: 100)
    gate.enqueue(3, site: "a", isUrgent: true, now: 100)
    #expect(drain(&gate, now: 100) == [3])
    #expect(drain(&gate, now: 1099) == [])
    #expect(drain(&gate, now: 1100) == [1])
  }

  @Test(arguments: [true, false])
  func `Endless urgent requests do not keep a scheduled one of the same site waiting`(isProven: Bool) {
    var gate = SiteGate<Int>(perSite: 2, spacing: 1000)
    gate.enqueue(0, site: "a", isUrgent: true, now: 0)
    #expect(drain(&gate, now: 0) == [0])
    gate.finished(site: "a", now: 0)
    for id in 1...4 { gate.enqueue(id, site: "a", isUrgent: true, now: 0) }
    for id in [101, 102] {
      gate.enqueue(id, site: "a", isUrgent: false, lastPollSucceeded: isProven, now: 0)
    }
    var started: [Int] = []
    for turn in 0..<20 {
      // Each urgent request that ends is followed by another one, before the spacing is over.
      let now = Int64(turn * 100)
      gate.enqueue(5 + turn, site: "a", isUrgent: true, now: now)
      let begun = drain(&gate, now: now)
      for _ in begun { gate.finished(site: "a", now: now) }
      started += begun
    }
    let scheduled = started.filter { $0 > 100 }
    #expect(scheduled == [101, 102])
    #expect(started.filter { $0 < 100 } == started.filter { $0 < 100 }.sorted())
    #expect(started.firstIndex(of: 101).map { $0 >= 4 } == true)
  }

  @Test func `A scheduled request that comes after many urgent ones is spaced`() {
    var gate = SiteGate<Int>(perSite: 2, spacing: 1000)
    for id in 1...10 { gate.enqueue(id, site: "a", isUrgent: true, now: 0) }
    for _ in 1...5 { for _ in drain(&gate, now: 0) { gate.finished(site: "a", now: 0) } }
    gate.enqueue(11, site: "a", isUrgent: false, now: 0)
    #expect(drain(&gate, now: 999) == [])
    #expect(drain(&gate, now: 1000) == [11])
  }

  @Test func `A site with a long queue does not delay others`() {
    var gate = SiteGate<Int>(perSite: 2, spacing: 0)
    for id in 1...1000 { gate.enqueue(id, site: "busy", isUrgent: true, now: 0) }
    gate.enqueue(5001, site: "a", isUrgent: true, now: 0)
    gate.enqueue(5002, site: "b", isUrgent: true, now: 0)
    #expect(Set(drain(&gate, now: 0)) == [1, 2, 5001, 5002])
  }

  @Test func `A redirected fetch goes to the front of its site's queue`() {
    var gate = SiteGate<Int>(perSite: 1, spacing: 0)
    gate.enqueue(1, site: "a", isUrgent: true, now: 0)
    gate.enqueue(2, site: "a", isUrgent: true, now: 0)
    #expect(drain(&gate, now: 0) == [1])
    gate.finished(site: "a", now: 1)
    gate.enqueue(1, site: "a", isUrgent: true, continues: true, now: 1)
    #expect(drain(&gate, now: 1).first == 1)
  }

  @Test func `With provenOnly, only requests of feeds whose last poll succeeded start, and the others wait`()
  {
    var gate = SiteGate<Int>(perSite: 2, spacing: 1000)
    for id in 1...4 { gate.enqueue(id, site: "drip\(id)", isUrgent: false, now: 0) }
    gate.enqueue(5, site: "drip1", isUrgent: false, lastPollSucceeded: true, now: 0)
    gate.enqueue(6, site: "good", isUrgent: false, lastPollSucceeded: true, now: 0)
    var started: [Int] = []
    while let (id, _) = gate.next(provenOnly: true, now: 0) { started.append(id) }
    #expect(Set(started) == [5, 6])
    // Ready requests that may not start do not wake the loop.
    #expect(gate.nextTimeOfProven == nil)
    #expect(gate.nextTime == .min)
    // The site's spacing holds for both kinds.
    #expect(Set(drain(&gate, now: 0)) == [2, 3, 4])
    #expect(drain(&gate, now: 1000) == [1])
  }

  @Test func `With provenOnly, an urgent request does not hold back a feed whose last poll succeeded`() {
    var gate = SiteGate<Int>(perSite: 2, spacing: 1000)
    gate.enqueue(1, site: "a", isUrgent: false, lastPollSucceeded: true, now: 0)
    let first = gate.next(provenOnly: true, now: 0)
    #expect(first?.id == 1)
    gate.enqueue(2, site: "a", isUrgent: true, now: 0)
    gate.enqueue(3, site: "a", isUrgent: false, lastPollSucceeded: true, now: 0)
    #expect(gate.nextTimeOfProven == 1000)
    let second = gate.next(provenOnly: true, now: 1000)
    #expect(second?.id == 3)
  }

  @Test func `Requests of feeds whose last poll succeeded take turns with the others`() {
    var gate = SiteGate<Int>(perSite: 1, spacing: 0)
    for id in 0..<6 { gate.enqueue(id, site: "a", isUrgent: true, lastPollSucceeded: id < 3, now: 0) }
    var started: [Int] = []
    for _ in 0..<6 {
      started += drain(&gate, now: 0)
      gate.finished(site: "a", now: 0)
    }
    #expect(started == [0, 3, 1, 4, 2, 5])
    #expect(gate.waitingCount == 0)
  }

  @Test func `Accounts take turns at a site`() {
    var gate = SiteGate<Int>(perSite: 1, spacing: 0)
    for id in 1...4 { gate.enqueue(id, site: "a", isUrgent: true, account: "eve", now: 0) }
    for id in 11...12 { gate.enqueue(id, site: "a", isUrgent: true, account: "anna", now: 0) }
    gate.enqueue(21, site: "a", isUrgent: true, now: 0)
    var started: [Int] = []
    for _ in 0..<7 {
      let begun = drain(&gate, now: 0)
      started += begun
      for id in begun {
        gate.finished(site: "a", account: id < 10 ? "eve" : id < 20 ? "anna" : nil, now: 0)
      }
    }
    #expect(started == [1, 11, 21, 2, 12, 3, 4])
  }

  @Test func `While several accounts use a site, each leaves a slot to the others`() {
    var gate = SiteGate<Int>(perSite: 2, spacing: 0)
    for id in 1...6 { gate.enqueue(id, site: "a", isUrgent: true, account: "eve", now: 0) }
    // While it is alone, an account has all slots.
    #expect(drain(&gate, now: 0) == [1, 2])
    gate.enqueue(11, site: "a", isUrgent: false, lastPollSucceeded: true, account: "anna", now: 0)
    #expect(drain(&gate, now: 0) == [])
    gate.finished(site: "a", account: "eve", now: 10)
    #expect(drain(&gate, now: 10) == [11])
    gate.finished(site: "a", account: "anna", now: 20)
    #expect(drain(&gate, now: 20) == [] && gate.nextTime == nil)
    gate.enqueue(12, site: "a", isUrgent: true, account: "anna", now: 30)
    #expect(drain(&gate, now: 30) == [12])
    gate.finished(site: "a", account: "anna", now: 40)
    // Requests without an account are not limited.
    for id in 21...22 { gate.enqueue(id, site: "a", isUrgent: true, now: 40) }
    #expect(drain(&gate, now: 40) == [21])
    gate.finished(site: "a", now: 50)
    #expect(drain(&gate, now: 50) == [22])
    gate.finished(site: "a", now: 60)
    for id in 3...6 {
      gate.finished(site: "a", account: "eve", now: 60)
      #expect(drain(&gate, now: 60) == [id])
    }
    gate.finished(site: "a", account: "eve", now: 70)
    #expect(gate.siteCount == 0)
    for id in 7...8 { gate.enqueue(id, site: "a", isUrgent: true, account: "eve", now: 80) }
    #expect(drain(&gate, now: 80) == [7, 8])
  }

  @Test func `In a simulation with three accounts, the limits hold and every request starts`() {
    var gate = SiteGate<Int>(perSite: 2, spacing: 100)
    var random = SeededRandom(seed: 17)
    let accounts = ["eve", "anna", nil]
    var running: [(id: Int, site: String, end: Int64)] = []
    var started = Set<Int>()
    for id in 0..<1200 {
      gate.enqueue(
        id,
        site: "site\(id % 5)",
        isUrgent: Bool.random(using: &random),
        lastPollSucceeded: Bool.random(using: &random),
        account: accounts[id % 3],
        now: 0
      )
    }
    var now: Int64 = 0
    while started.count < 1200, now < 86_400_000 {
      while let (id, site) = gate.next(now: now) {
        let isNew = started.insert(id).inserted
        #expect(isNew)
        let others = running.filter { $0.site == site }
        #expect(others.count < 2)
        #expect(id % 3 == 2 || !others.contains { $0.id % 3 == id % 3 })
        running.append((id, site, now + Int64.random(in: 1...1000, using: &random)))
      }
      now += 50
      for transfer in running where transfer.end <= now {
        gate.finished(site: transfer.site, account: accounts[transfer.id % 3], now: now)
      }
      running.removeAll { $0.end <= now }
    }
    #expect(started.count == 1200 && gate.waitingCount == 0)
  }

  @Test func `A withdrawn request never starts`() {
    var gate = SiteGate<Int>(perSite: 1, spacing: 0)
    for id in 1...3 { gate.enqueue(id, site: "a", isUrgent: true, now: 0) }
    let withdrawn = [1, 2, 2].map { gate.withdraw($0) }
    #expect(withdrawn == [true, true, false])
    #expect(drain(&gate, now: 0) == [3])
    let isWithdrawn = gate.withdraw(3)
    #expect(!isWithdrawn)
  }

  @Test func `An idle site is removed after its spacing`() {
    var gate = SiteGate<Int>(perSite: 2, spacing: 1000)
    for id in 0..<100 { gate.enqueue(id, site: "site\(id)", isUrgent: false, now: 0) }
    #expect(drain(&gate, now: 0).count == 100)
    for id in 0..<100 { gate.finished(site: "site\(id)", now: 50) }
    #expect(gate.siteCount == 100)
    #expect(drain(&gate, now: 1000) == [])
    #expect(gate.siteCount == 0)
    #expect(gate.nextTime == nil)
  }

  @Test func `In a simulation with 300 sites, all limits hold and no site starves`() {
    var gate = SiteGate<Int>(perSite: 2, spacing: 1000)
    // A fixed seed, so that failures are reproducible.
    var random = SeededRandom(seed: 91)
    var running: [(id: Int, site: String, end: Int64)] = []
    var lastStart: [String: Int64] = [:]
    var started = Set<Int>()
    for id in 0..<5000 {
      gate.enqueue(id, site: "site\(id % 300)", isUrgent: false, lastPollSucceeded: id % 7 == 0, now: 0)
    }
    var now: Int64 = 0
    while started.count < 5000, now < 86_400_000 {
      while let (id, site) = gate.next(now: now) {
        let isNew = started.insert(id).inserted
        #expect(isNew)
        #expect(running.count(where: { $0.site == site }) < 2)
        if let last = lastStart[site] { #expect(now - last >= 1000) }
        lastStart[site] = now
        running.append((id, site, now + Int64.random(in: 1...5000, using: &random)))
      }
      now += 100
      for transfer in running where transfer.end <= now { gate.finished(site: transfer.site, now: now) }
      running.removeAll { $0.end <= now }
    }
    #expect(started.count == 5000)
    // 17 requests per site; in the worst case each takes five seconds and they run one after the other.
    #expect(now < 90_000)
  }
}

@Suite struct `Queues and heaps` {
  @Test func `A queue keeps its order while it grows and shrinks`() {
    var queue = Queue<Int>()
    var expected = 0
    for round in 0..<50 {
      for n in 0..<100 { queue.append(round * 100 + n) }
      for _ in 0..<80 {
        let element = queue.popFirst()
        #expect(element == expected)
        expected += 1
      }
    }
    #expect(queue.count == 1000)
    while let element = queue.popFirst() {
      #expect(element == expected)
      expected += 1
    }
    #expect(expected == 5000)
  }

  @Test func `A heap returns its elements in ascending order`() {
    var heap = Heap<Int>()
    var random = SeededRandom(seed: 5)
    let numbers = (0..<500).map { _ in Int.random(in: 0..<100, using: &random) }
    for number in numbers { heap.insert(number) }
    var sorted: [Int] = []
    while let first = heap.first {
      sorted.append(first)
      heap.removeFirst()
    }
    #expect(sorted == numbers.sorted())
  }
}

@Suite struct `Transfer clock` {
  private func clock(_ change: (inout FetchLimits) -> Void = { _ in }) -> TransferClock {
    var limits = FetchLimits()
    change(&limits)
    return TransferClock(limits: limits, now: 0)
  }

  @Test func `Waiting for the first byte does not count as low speed`() {
    let clock = clock()
    #expect(clock.check(now: 25_000) == .fine(until: 30_000))
    #expect(clock.check(now: 30_000) == .noFirstByte)
  }

  @Test func `Speed is measured in windows that start with the first byte`() {
    var clock = clock()
    clock.received(100, now: 29_000)
    #expect(clock.check(now: 48_999) == .fine(until: 49_000))
    #expect(clock.check(now: 49_000) == .tooSlow)
    clock.received(64 * 20, now: 48_999)
    #expect(clock.check(now: 49_000) == .fine(until: 68_999))
  }

  @Test func `The total timeout applies even if data keeps arriving`() {
    var clock = clock()
    for second in stride(from: Int64(0), to: 120_000, by: 1000) { clock.received(10_000, now: second) }
    #expect(clock.check(now: 120_000) == .tooLong)
  }

  @Test func `Paused time does not count`() {
    var clock = clock()
    clock.received(10_000, now: 1000)
    clock.paused(now: 2000)
    #expect(clock.check(now: 500_000) == .fine(until: .max))
    clock.resumed(now: 500_000)
    #expect(clock.check(now: 500_001) == .fine(until: 519_000))
    #expect(clock.check(now: 519_000) == .tooSlow)
  }
}
