import Testing

@testable import NewsCore

/// A room that expectations may change.
private final class Room {
  private var room: ReadingRoom

  init(limit: Int, places: Int) { room = ReadingRoom(limit: limit, places: places) }

  var backlog: Int { room.backlog }
  var isFull: Bool { room.isFull }
  func enter(_ id: Feed.ID, body: Int) -> Bool { room.enter(id, body: body) }
  func read(_ id: Feed.ID, keeps: Bool) { room.read(id, keeps: keeps) }
  func leave(_ id: Feed.ID) { room.leave(id) }
  func open() { room.open() }
  func admitted() -> Feed.ID? { room.admitted() }
}

@Suite struct `The room for reading` {
  private let first = Feed.ID(rawValue: 1)
  private let second = Feed.ID(rawValue: 2)
  private let third = Feed.ID(rawValue: 3)

  @Test func `What fits goes in at once, what does not waits for room`() {
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

  @Test func `A body larger than all room goes in alone, and nobody overtakes`() {
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

  @Test func `Who is in is not kept waiting again, and an open room keeps nobody`() {
    let room = Room(limit: 100, places: 1)
    #expect(room.enter(first, body: 50))
    #expect(room.enter(first, body: 50))
    #expect(!room.enter(second, body: 50))
    room.open()
    #expect(!room.isFull)
    #expect(room.admitted() == second)
    #expect(room.enter(third, body: 5000))
  }

  @Test func `Places bound how many read at a time, and waiting for one is no want of room`() {
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

  @Test func `A body that brought nothing gives its room back before it is stored`() {
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
