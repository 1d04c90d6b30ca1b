import NewsCore
import Testing

@Suite struct `Publishing rhythm` {
  /// Noon of a Friday.
  static let now = Timestamp(CivilTime(year: 2026, month: 11, day: 20, hour: 12))
  static let hour: Int64 = 3600
  static let day: Int64 = 86_400

  private func wait(_ times: [Timestamp], at now: Timestamp = now) -> Int64 {
    PublishingRhythm(times: times, now: now).wait(unknown: 3600)
  }

  @Test func `A steady feed is polled twice per item`() {
    #expect(wait((0..<10).map { Self.now - $0 * Self.hour }) == 1800)
    #expect(wait((0..<10).map { Self.now - $0 * 4 * Self.hour }) == 7200)
  }

  @Test func `Without items or with one recent burst the rhythm is unknown; one old item lengthens the wait`()
  {
    #expect(wait([]) == 3600)
    #expect(wait([Self.now]) == 3600)
    #expect(wait((0..<10).map { Self.now - $0 * 10 }) == 3600)
    #expect(wait([Self.now - 40 * Self.hour]) == 10 * Self.hour)
  }

  @Test func `A feed that falls silent is polled at growing intervals`() {
    let times = (0..<10).map { Self.now - $0 * Self.hour }
    let waits = [0, 5, 20, 100].map { wait(times, at: Self.now + $0 * Self.hour) }
    #expect(waits == waits.sorted())
    #expect(Set(waits).count == waits.count)
    #expect(waits[3] > Self.day)
  }

  @Test func `Items published together count as one publication`() {
    let daily = (0..<10).flatMap { day in (0..<5).map { Self.now - Int64(day) * Self.day - Int64($0) * 20 } }
    #expect(wait(daily) > 10 * Self.hour)
  }

  @Test func `Dates in the future are ignored`() {
    let times = (0..<10).map { Self.now - $0 * Self.hour }
    #expect(wait(times + [Self.now + Self.day]) == wait(times))
  }

  @Test func `A feed that publishes daily at the same hour is polled near that hour`() {
    // Every day between 6:00 and 6:19, for 20 days.
    let times = (0..<20).map {
      Timestamp(CivilTime(year: 2026, month: 11, day: 20 - $0, hour: 6, minute: $0))
    }
    let evening = Timestamp(CivilTime(year: 2026, month: 11, day: 20, hour: 20))
    let next = (evening + wait(times, at: evening)).civil()
    #expect(next.day == 21)
    #expect((4...7).contains(next.hour))
  }

  @Test func `A nightly pause does not slow down polling in the morning`() {
    // Every hour from 8:00 to 19:00 on four days; the waits are computed at 21:00 and at 7:50 the next day.
    let times = (0..<4).flatMap { day in
      (8..<20).map { Timestamp(CivilTime(year: 2026, month: 11, day: 19 - day, hour: $0)) }
    }
    let night = Timestamp(CivilTime(year: 2026, month: 11, day: 19, hour: 21))
    let morning = Timestamp(CivilTime(year: 2026, month: 11, day: 20, hour: 7, minute: 50))
    #expect(wait(times, at: night) > 3 * Self.hour)
    #expect(wait(times, at: morning) < Self.hour)
  }
}
