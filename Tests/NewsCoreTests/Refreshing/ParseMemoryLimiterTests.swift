import Testing

@testable import NewsCore

/// Wraps a limiter in a class, because `#expect` cannot call mutating methods.
private final class Room {
  private var room: ParseMemoryLimiter

  init(limit: Int, places: Int) { room = ParseMemoryLimiter(limit: limit, places: places) }

  var backlog: Int { room.backlog }
  var isFull: Bool { room.isFull }
  func enter(_ id: Feed.ID, body: Int) -> Bool { room.enter(id, body: body) }
  func read(_ id: Feed.ID, keeps: Bool) { room.read(id, keeps: keeps) }
  func leave(_ id: Feed.ID) { room.leave(id) }
  func open() { room.open() }
  func admitted() -> Feed.ID? { room.admitted() }
}

@Suite struct `Memory of parsed feeds` {
  private let first = Feed.ID(rawValue: 1)
  private let second = Feed.ID(rawValue: 2)
  private let third = Feed.ID(rawValue: 3)

  @Test func `A body that fits is admitted at once, others wait for memory`() {
    let room = Room(limit: 100, places: 9)
    #expect(room.enter(first, body: 40))
    #expect(!room.enter(second, body: 20))
    #expect(room.backlog == 20)
    #expect(room.isFull)
    #expect(room.admitted() == nil)
    room.leave(first)
    #expect(!room.isFull)
    #expect(room.admitted() == second)
    #expect(room.admitted() == nil)
    #expect(room.backlog == 0)
  }

  @Test func `A body larger than the limit is admitted alone, and no body overtakes another`() {
    let room = Room(limit: 100, places: 9)
    #expect(room.enter(first, body: 1000))
    #expect(!room.enter(second, body: 900))
    #expect(!room.enter(third, body: 1))
    room.leave(first)
    #expect(room.admitted() == second)
    #expect(room.admitted() == nil)
    room.leave(second)
    #expect(room.admitted() == third)
  }

  @Test func `An admitted feed need not wait again, and an open limiter admits every body`() {
    let room = Room(limit: 100, places: 1)
    #expect(room.enter(first, body: 50))
    #expect(room.enter(first, body: 50))
    #expect(!room.enter(second, body: 50))
    room.open()
    #expect(!room.isFull)
    #expect(room.admitted() == second)
    #expect(room.enter(third, body: 5000))
  }

  @Test func `The number of parsers is limited, and waiting for one does not count as full memory`() {
    let room = Room(limit: 100, places: 1)
    #expect(room.enter(first, body: 10))
    #expect(!room.enter(second, body: 10))
    #expect(!room.isFull)
    room.read(first, keeps: true)
    #expect(room.admitted() == second)
    room.read(second, keeps: true)
    #expect(!room.enter(third, body: 40))
    #expect(room.isFull)
    room.leave(first)
    #expect(room.admitted() == third)
  }

  @Test func `A body without a parsed feed frees its memory before storing`() {
    let room = Room(limit: 100, places: 1)
    #expect(room.enter(first, body: 50))
    #expect(!room.enter(second, body: 50))
    room.read(first, keeps: false)
    #expect(room.admitted() == second)
    room.leave(first)
    room.read(second, keeps: false)
    room.leave(second)
    #expect(room.enter(third, body: 50))
  }
}
