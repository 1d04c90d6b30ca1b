import NewsCore
import Testing

@testable import newsd

@Suite struct `Detecting changes of the clock` {
  @Test func `A change of the clock is detected, gradual drift is not`() {
    let start = ContinuousClock.now
    var watch = ClockWatch(wall: Timestamp(seconds: 1000), steady: start)
    func look(_ wall: Int64, after seconds: Int) -> Int64? {
      watch.jump(wall: Timestamp(seconds: wall), steady: start + .seconds(seconds))
    }
    #expect(look(4600, after: 3600) == nil)
    // NTP adjusted the clock by 100 seconds.
    #expect(look(8300, after: 7200) == nil)
    #expect(look(8300 + 3600 + 86_400, after: 10_800) == 86_400)
    #expect(look(8300 + 7200 + 86_400, after: 14_400) == nil)
    #expect(look(8300 + 10_800 - 86_400, after: 18_000) == -2 * 86_400)
    #expect(look(8300 + 14_400 - 86_400, after: 21_600) == nil)
  }

  @Test func `A time is trusted an hour after the start and after each change of the clock`() {
    let start = ContinuousClock.now
    let trust = ClockTrust(wall: Timestamp(seconds: 0), steady: start)
    func look(_ seconds: Int64, ahead: Int64 = 0) -> Bool {
      trust.isTrusted(Timestamp(seconds: seconds + ahead), steady: start + .seconds(seconds))
    }
    #expect(!look(3599) && look(3600))
    let week: Int64 = 7 * 86_400
    #expect(!look(3610, ahead: week) && trust.since == start + .seconds(3610))
    #expect(!look(3630) && !look(7229) && look(7230))
  }
}
