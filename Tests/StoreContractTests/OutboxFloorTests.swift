import NewsCore
@testable import NewsPostgres
import Testing

@Suite struct `Where the search for due entries begins` {
  @Test
  func `After the last settled entry; a minute before it once a second; at the beginning once a minute`() {
    let floors = OutboxFloors()
    let start = ContinuousClock.now
    func floor(_ milliseconds: Int) -> [Int64] {
      let place = floors.floor(of: "a", at: start + .milliseconds(milliseconds))
      return [place.due, place.sequence]
    }
    let beginning = [Int64.min, Int64.min]
    #expect(floor(0) == beginning && floor(1) == beginning)
    floors.note(HookEntry(sequence: 7, event: .item, time: Timestamp(seconds: 2000)), of: "a")
    #expect(floor(2) == [2000, 7] && floor(999) == [2000, 7])
    #expect(floor(1002) == [1940, .min] && floor(1003) == [2000, 7])
    #expect(floor(2003) == [1940, .min] && floor(2004) == [2000, 7])
    #expect(floor(60_002) == beginning && floor(60_003) == [2000, 7])
    #expect(floors.floor(of: "b", at: start).due == .min)
  }
}
