import NewsCore
import Synchronization
import Testing

@Suite struct `Node clock` {
  private let reports = Reports()

  private final class Reports: Sendable {
    private let list = Mutex<[Int64]>([])
    var all: [Int64] { list.withLock { $0 } }
    func add(_ difference: Int64) { list.withLock { $0.append(difference) } }
  }

  /// A clock of a machine whose time is always 1,000,000 s.
  private func makeClock() -> NodeClock {
    let clock = NodeClock { 1_000_000_000 }
    clock.reportDifferences(to: reports.add)
    return clock
  }

  private func compare(_ clock: NodeClock, _ server: Int64, trip: Int64 = 20) -> Int64 {
    clock.compare(server: server, before: 1_000_000_000 - trip, after: 1_000_000_000)
    return clock.now().seconds - 1_000_000
  }

  @Test(arguments: [0, 4900, -4900])
  func `A difference of up to five seconds from the server's clock is ignored`(_ difference: Int64) {
    #expect(compare(makeClock(), 1_000_000_000 + difference) == 0)
    #expect(reports.all.isEmpty)
  }

  @Test(arguments: [6, -6, 3600, -3600])
  func `The clock follows a difference of more than five seconds from the server's, and reports it`(
    _ seconds: Int64
  ) {
    #expect(compare(makeClock(), 1_000_000_000 + seconds * 1000) == seconds)
    #expect(reports.all == [seconds])
  }

  @Test func `The clock follows a changing difference, but reports it again only after a large change`() {
    let clock = makeClock()
    #expect(compare(clock, 1_000_060_000) == 60)
    #expect(compare(clock, 1_000_061_000) == 60)
    #expect(compare(clock, 1_000_063_000) == 63)
    #expect(compare(clock, 1_000_004_000) == 4)
    #expect(compare(clock, 1_000_001_000) == 0)
    #expect(compare(clock, 1_000_004_000) == 0)
    #expect(compare(clock, 1_000_060_000) == 60)
    #expect(reports.all == [60, 4, 60])
  }

  @Test func `Answers that took too long, and impossible times, do not change the clock`() {
    let clock = makeClock()
    #expect(compare(clock, 1_000_060_000, trip: 4000) == 0)
    #expect(compare(clock, 1_000_060_000, trip: -10) == 0)
    clock.compare(server: 1_000_060_000, before: .min, after: .max)
    #expect(clock.now() == Timestamp(seconds: 1_000_000))
    for server in [Int64.min, .max] { _ = compare(makeClock(), server) }
  }
}
