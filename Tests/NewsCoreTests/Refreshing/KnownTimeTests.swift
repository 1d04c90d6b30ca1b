import Testing

@testable import NewsCore

@Suite struct `The time that a store knows` {
  private static let start: Int64 = 1_800_000_000
  private static let day: Int64 = 86_400

  /// Notes times of the clock, in days after the start. Returns how many days each must wait; nil: it is believed.
  private func waits(_ days: Double...) -> [Double?] {
    var known = KnownTime(believed: Timestamp(seconds: Self.start))
    return days.map { day in
      let now = Timestamp(seconds: Self.start + Int64(day * Double(Self.day)))
      // The store keeps it as text.
      known = KnownTime(stored: known.stored) ?? known
      return known.note(now).map { Double($0 - now) / Double(Self.day) }
    }
  }

  @Test func `A clock that goes on is believed, also after a pause of some days`() {
    #expect(waits(0, 0.5, 1, 7, 14, 13) == [nil, nil, nil, nil, nil, nil])
  }

  @Test func `A clock that jumps is believed after a day, from which a restart takes nothing`() {
    #expect(waits(730, 730.25, 730.75, 731, 731.5) == [1, 0.75, 0.25, nil, nil])
  }

  @Test func `A clock that is corrected within the day is believed at once, and its next jump is not`() {
    #expect(waits(730, 730.5, 1, 730.9, 2) == [1, 0.5, nil, 1, nil])
  }

  @Test func `A clock that begins in the past is believed when it was set`() {
    #expect(waits(-9000, 0.25, -9000, 1) == [1, nil, 1, nil])
  }

  @Test func `Another jump begins the day anew`() {
    #expect(waits(730, 760, 760.5, 761) == [1, 1, 0.5, nil])
  }

  @Test func `A machine that runs for some hours now and then is believed in its third run`() {
    #expect(waits(8, 8.125, 16, 16.125, 24, 24.125, 25) == [1, 0.875, 1, 0.875, 1 / 24, nil, nil])
    // Also when it keeps doing so.
    #expect(waits(40, 80, 120, 120.125, 160, 200, 240, 240.125).last == .some(nil))
  }

  @Test func `A jump far ahead or back begins the runs anew`() {
    #expect(waits(8, 16, 730, 730.125) == [1, 1, 1, 0.875])
    #expect(waits(16, 24, 15, 15.125) == [1, 1, 1, 0.875])
  }

  @Test func `What is no time is passed over`() {
    #expect(KnownTime(stored: "") == nil && KnownTime(stored: "x") == nil)
    #expect(KnownTime(stored: "5 x")?.stored == "5")
  }

  @Test func `A stored time of any number is far from the clock`() {
    let now = Timestamp(seconds: Self.start)
    for stored in [Int64.min, .min + Self.start, .max] {
      var known = KnownTime(stored: String(stored))
      #expect(known?.note(now) == now + Self.day)
    }
  }
}
