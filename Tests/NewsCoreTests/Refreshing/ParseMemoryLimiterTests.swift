import Testing

@testable import NewsCore

/// Wraps a limiter in a class, because `#expect` cannot call mutating methods.
private final class LimiterBox {
  private var room: ParseMemoryLimiter

  init(limit: Int, parsers: Int) { room = ParseMemoryLimiter(limit: limit, parsers: parsers) }

  var backlog: Int { room.backlog }
  var isFull: Bool { room.isFull }
  func enter(_ id: Feed.ID, body: Int) -> Bool { room.enter(id, body: body) }
  func finishParsing(_ id: Feed.ID, keepsFeed: Bool) { room.finishParsing(id, keepsFeed: keepsFeed) }
  func release(_ id: Feed.ID) { room.release(id) }
  func open() { room.open() }
  func admitted() -> Feed.ID? { room.admitted() }
}

@Suite struct `Memory of parsed feeds` {
  private let first = Feed.ID(rawValue: 1)
  private let second = Feed.ID(rawValue: 2)
  private let third = Feed.ID(rawValue: 3)

  @Test func `A body that fits is admitted at once; a body that does not fit waits for memory`() {
    let room = LimiterBox(limit: 100, parsers: 9)
    #expect(room.enter(first, body: 40))
    #expect(!room.enter(second, body: 20))
    #expect(room.backlog == 20)
    #expect(room.isFull)
    #expect(room.admitted() == nil)
    room.release(first)
    #expect(!room.isFull)
    #expect(room.admitted() == second)
    #expect(room.admitted() == nil)
    #expect(room.backlog == 0)
  }

  @Test func `A body larger than the limit is admitted alone, and no body overtakes another`() {
    let room = LimiterBox(limit: 100, parsers: 9)
    #expect(room.enter(first, body: 1000))
    #expect(!room.enter(second, body: 900))
    #expect(!room.enter(third, body: 1))
    room.release(first)
    #expect(room.admitted() == second)
    #expect(room.admitted() == nil)
    room.release(second)
    #expect(room.admitted() == third)
  }

  @Test func `An admitted feed does not wait again; once the limits are lifted, every body is admitted`() {
    let room = LimiterBox(limit: 100, parsers: 1)
    #expect(room.enter(first, body: 50))
    #expect(room.enter(first, body: 50))
    #expect(!room.enter(second, body: 50))
    room.open()
    #expect(!room.isFull)
    #expect(room.admitted() == second)
    #expect(room.enter(third, body: 5000))
  }

  @Test func `The number of parsers is limited, and memory is not full while a body waits only for a parser`()
  {
    let room = LimiterBox(limit: 100, parsers: 1)
    #expect(room.enter(first, body: 10))
    #expect(!room.enter(second, body: 10))
    #expect(!room.isFull)
    room.finishParsing(first, keepsFeed: true)
    #expect(room.admitted() == second)
    room.finishParsing(second, keepsFeed: true)
    #expect(!room.enter(third, body: 40))
    #expect(room.isFull)
    room.release(first)
    #expect(room.admitted() == third)
  }

  @Test func `A body that yields no feed frees its memory after parsing, before it is released`() {
    let room = LimiterBox(limit: 100, parsers: 1)
    #expect(room.enter(first, body: 50))
    #expect(!room.enter(second, body: 50))
    room.finishParsing(first, keepsFeed: false)
    #expect(room.admitted() == second)
    room.release(first)
    room.finishParsing(second, keepsFeed: false)
    room.release(second)
    #expect(room.enter(third, body: 50))
  }
}
