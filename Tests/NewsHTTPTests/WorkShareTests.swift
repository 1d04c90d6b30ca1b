import Testing

@testable import NewsHTTP

@Suite(.timeLimit(.minutes(2))) struct `Shares of a server's work` {
  @Test func `A request has one place, and can take it again`() {
    let places = HandlerSlots(limit: 1)
    let (share, other) = (
      WorkShare(turns: nil, places: places), WorkShare(turns: nil, places: HandlerSlots(limit: 1))
    )
    let place = RequestPlace()
    #expect(place.enter(share) && place.enter(share))
    #expect(!RequestPlace().enter(share))
    #expect(place.enter(other))
    #expect(RequestPlace().enter(share))
    place.leave()
    #expect(place.enter())
    #expect(!RequestPlace().enter(other))
    #expect(places.enter())
    // A request that finds no place has none elsewhere, either.
    #expect(!place.enter(share))
    #expect(RequestPlace().enter(other))
    #expect(RequestPlace().enter())
  }
}
