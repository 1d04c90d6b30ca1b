import Synchronization
import TestSupport
import Testing

@testable import NewsCore

/// Wraps a limiter in a class, because `#expect` cannot call mutating methods.
private final class LimiterBox {
  private var room: ParseMemoryLimiter
  private let calls: Calls

  private final class Calls: Sendable {
    let count = Mutex(0)
  }

  init(
    limit: Int = 9600,
    parsers: Int = 9,
    of memory: MemoryBudget = MemoryBudget(documents: 6400),
    account: String = ""
  ) {
    let calls = Calls()
    self.calls = calls
    room = ParseMemoryLimiter(limit: limit, parsers: parsers, of: memory, account: account) {
      calls.count.withLock { $0 += 1 }
    }
  }

  /// How often the limiter was told to ask again.
  var wakes: Int { calls.count.withLock { $0 } }
  var backlog: Int { room.backlog }
  var isFull: Bool { room.isFull }
  func enter(_ id: Feed.ID, body: Int) -> Bool { room.enter(id, body: body) }
  func finishParsing(_ id: Feed.ID, bytes: Int?) { room.finishParsing(id, bytes: bytes) }
  func release(_ id: Feed.ID) { room.release(id) }
  func open() { room.open() }
  func giveUpTurn() { room.giveUpTurn() }
  func admitted() -> Feed.ID? { room.admitted() }
}

/// The limits are 9600 bytes, with which 150 bytes of a document count while they are parsed.
@Suite struct `Memory of parsed feeds` {
  private let first = Feed.ID(rawValue: 1)
  private let second = Feed.ID(rawValue: 2)
  private let third = Feed.ID(rawValue: 3)

  @Test func `One body may exceed the limit; the next waits until the feeds before it are parsed`() {
    let room = LimiterBox()
    #expect(room.enter(first, body: 100))
    #expect(room.enter(second, body: 100))
    #expect(!room.enter(third, body: 100))
    #expect(room.backlog == 100)
    #expect(room.isFull)
    #expect(room.admitted() == nil)
    // Both are smaller than dense documents would be.
    room.finishParsing(first, bytes: 200)
    room.finishParsing(second, bytes: 200)
    #expect(!room.isFull)
    #expect(room.admitted() == third)
    #expect(room.admitted() == nil)
    #expect(room.backlog == 0)
  }

  @Test func `A parsed feed counts with its size until it is stored, and no body overtakes another`() {
    let room = LimiterBox()
    #expect(room.enter(first, body: 1000))
    #expect(!room.enter(second, body: 900))
    #expect(!room.enter(third, body: 1))
    room.finishParsing(first, bytes: 30_000)
    #expect(room.isFull)
    #expect(room.admitted() == nil)
    room.release(first)
    #expect(room.admitted() == second)
    #expect(room.admitted() == nil)
    room.release(second)
    #expect(room.admitted() == third)
  }

  @Test func `Once the limits are lifted, every body is admitted`() {
    let room = LimiterBox(parsers: 1)
    #expect(room.enter(first, body: 50))
    #expect(!room.enter(second, body: 50))
    room.open()
    #expect(!room.isFull)
    #expect(room.admitted() == second)
    #expect(room.enter(third, body: 5000))
  }

  @Test func `The number of parsers is limited, and memory is not full while a body waits only for a parser`()
  {
    let room = LimiterBox(parsers: 1)
    #expect(room.enter(first, body: 10))
    #expect(!room.enter(second, body: 10))
    #expect(!room.isFull)
    room.finishParsing(first, bytes: 9600)
    #expect(room.admitted() == second)
    room.finishParsing(second, bytes: 640)
    #expect(!room.enter(third, body: 10))
    #expect(room.isFull)
    room.release(first)
    #expect(room.admitted() == third)
  }

  @Test func `A body that yields no feed frees its memory after parsing, before it is released`() {
    let memory = MemoryBudget(documents: 6400)
    let room = LimiterBox(of: memory)
    #expect(room.enter(first, body: 1000))
    #expect(!room.enter(second, body: 50))
    room.finishParsing(first, bytes: nil)
    #expect(memory.taken == 0)
    #expect(room.admitted() == second)
    room.release(first)
    room.finishParsing(second, bytes: nil)
    room.release(second)
    #expect(room.enter(third, body: 50))
  }

  // MARK: Several loops

  @Test
  func `Of the large documents of all loops, one is in memory at a time; small ones are parsed meanwhile`() {
    let memory = MemoryBudget(documents: 6400)
    let (anna, ben, carl) = (LimiterBox(of: memory), LimiterBox(of: memory), LimiterBox(of: memory))
    #expect(anna.enter(first, body: 1000))
    #expect(!ben.enter(second, body: 900))
    #expect(ben.isFull)
    #expect(carl.enter(third, body: 10))
    anna.finishParsing(first, bytes: 20_000)
    #expect(ben.admitted() == nil)
    let before = ben.wakes
    anna.release(first)
    #expect(ben.wakes == before + 1)
    #expect(ben.admitted() == second)
  }

  @Test func `A parsed feed that fits in the limit lets the next large document be parsed`() {
    let memory = MemoryBudget(documents: 6400)
    let (anna, ben) = (LimiterBox(of: memory), LimiterBox(of: memory))
    #expect(anna.enter(first, body: 1000))
    #expect(!ben.enter(second, body: 1000))
    anna.finishParsing(first, bytes: 3000)
    #expect(ben.admitted() == second)
    #expect(memory.taken == 67_000)
  }

  @Test func `Loops with large documents take turns`() {
    let memory = MemoryBudget(documents: 6400)
    let (anna, ben, carl) = (LimiterBox(of: memory), LimiterBox(of: memory), LimiterBox(of: memory))
    #expect(anna.enter(first, body: 1000))
    #expect(!ben.enter(first, body: 1000))
    #expect(!carl.enter(first, body: 1000))
    #expect(!anna.enter(second, body: 1000))
    anna.release(first)
    // Although it asks first.
    #expect(anna.admitted() == nil)
    #expect(carl.admitted() == nil)
    #expect(ben.admitted() == first)
    ben.release(first)
    #expect(anna.admitted() == nil)
    #expect(carl.admitted() == first)
    carl.release(first)
    #expect(anna.admitted() == second)
  }

  @Test func `The accounts take turns, however many of one wait`() {
    let memory = MemoryBudget(documents: 6400)
    let eve = (0..<3).map { _ in LimiterBox(of: memory, account: "eve") }
    let anna = LimiterBox(of: memory, account: "anna")
    #expect(eve[0].enter(first, body: 1000))
    #expect(!eve[1].enter(first, body: 1000))
    #expect(!eve[2].enter(first, body: 1000))
    #expect(!anna.enter(first, body: 1000))
    eve[0].release(first)
    #expect(eve[1].admitted() == nil)
    #expect(anna.admitted() == first)
    anna.release(first)
    #expect(eve[2].admitted() == nil)
    #expect(eve[1].admitted() == first)
  }

  @Test(.timeLimit(.minutes(1)))
  func `A parsed feed whose store is slow gives up the place beside the limit`() async {
    let memory = MemoryBudget(documents: 6400, patience: .zero)
    let room = LimiterBox(of: memory)
    #expect(room.enter(first, body: 1000))
    room.finishParsing(first, bytes: 20_000)
    let claim = await memory.claim(forBody: 500, of: "anna")
    #expect(memory.taken == 52_000)
    withExtendedLifetime(claim) {}
  }

  @Test(.timeLimit(.minutes(1)))
  func `While a parsed feed lasts longer than its turn, the turns of others have another length`() async {
    let memory = MemoryBudget(documents: 6400, patience: .zero, whileOverdue: .seconds(3600))
    let (anna, carl) = (LimiterBox(of: memory, account: "anna"), LimiterBox(of: memory, account: "carl"))
    #expect(anna.enter(first, body: 1000))
    anna.finishParsing(first, bytes: 20_000)
    var ben = await memory.claim(forBody: 500, of: "ben")
    ben?.made(20_000)
    #expect(!carl.enter(first, body: 1000))
    // A turn of the first length that begins later ends.
    let other = MemoryBudget(documents: 6400, patience: .zero)
    let room = LimiterBox(of: other)
    #expect(room.enter(first, body: 1000))
    room.finishParsing(first, bytes: 20_000)
    let later = await other.claim(forBody: 500, of: "")
    #expect(carl.admitted() == nil)
    anna.release(first)
    withExtendedLifetime(ben) {}
    ben = nil
    #expect(carl.admitted() == first)
    // Nothing lasts longer than its turn any more.
    carl.finishParsing(first, bytes: 20_000)
    let last = await memory.claim(forBody: 500, of: "ben")
    withExtendedLifetime((later, last)) {}
  }

  @Test func `A loop that is told to ask again wakes no other by giving up what it does not have`() {
    let memory = MemoryBudget(documents: 6400)
    let (anna, ben) = (LimiterBox(of: memory), LimiterBox(of: memory))
    #expect(anna.enter(first, body: 1000))
    #expect(!ben.enter(second, body: 1000))
    ben.giveUpTurn()
    #expect(ben.wakes == 0)
  }

  @Test func `A loop that leaves the line, and one that ends, hold up no other`() {
    let memory = MemoryBudget(documents: 6400)
    let (anna, ben, carl) = (LimiterBox(of: memory), LimiterBox(of: memory), LimiterBox(of: memory))
    var gone: LimiterBox? = LimiterBox(of: memory)
    #expect(anna.enter(first, body: 1000))
    #expect(gone?.enter(first, body: 1000) == false)
    #expect(!ben.enter(first, body: 1000))
    #expect(!carl.enter(first, body: 1000))
    gone = nil
    ben.open()
    anna.release(first)
    #expect(carl.admitted() == first)
  }

  @Test func `A loop whose store cannot be written does not keep others from parsing`() {
    let memory = MemoryBudget(documents: 6400)
    let (anna, ben) = (LimiterBox(of: memory), LimiterBox(of: memory))
    #expect(anna.enter(first, body: 1000))
    anna.finishParsing(first, bytes: 50_000)
    #expect(!ben.enter(first, body: 1000))
    anna.giveUpTurn()
    #expect(ben.admitted() == first)
    #expect(!anna.enter(second, body: 10))
    #expect(memory.taken == 114_000)
  }

  @Test(.timeLimit(.minutes(1)))
  func `A task waits for memory, too`() async throws {
    let memory = MemoryBudget(documents: 6400)
    let room = LimiterBox(of: memory)
    #expect(room.enter(first, body: 1000))
    room.finishParsing(first, bytes: 20_000)
    async let claim = memory.claim(forBody: 500, of: "")
    room.release(first)
    let taken = try #require(await claim)
    #expect(memory.taken == 32_000)
    taken.made(10)
    #expect(memory.taken == 10)
    withExtendedLifetime(taken) {}
  }

  @Test(.timeLimit(.minutes(1)))
  func `A task that is cancelled waits for memory no longer, and holds up no other`() async {
    let memory = MemoryBudget(documents: 6400)
    let (room, other) = (LimiterBox(of: memory), LimiterBox(of: memory))
    #expect(room.enter(first, body: 1000))
    let task = Task { await memory.claim(forBody: 500, of: "") == nil }
    while memory.waitingCount == 0 { await Task.yield() }
    task.cancel()
    #expect(await task.value)
    #expect(memory.waitingCount == 0)
    room.release(first)
    #expect(other.enter(second, body: 500))
  }

  @Test func `An item counts with its fields and lists, not only with its texts`() {
    var item = ParsedItem()
    item.id = "1"
    let plain = item.heldBytes
    #expect(plain > 4 * MemoryLayout<ParsedItem>.stride)
    var extensions = ItemExtensions()
    extensions.media = [MediaObject(url: "h:a"), MediaObject(url: "h:b")]
    item.extensions = extensions
    #expect(
      item.heldBytes >= plain + MemoryLayout<ItemExtensions>.stride + 2 * MemoryLayout<MediaObject>.stride
    )
    var feed = ParsedFeed(format: "rss20")
    feed.items = [item, item]
    #expect(feed.heldBytes >= 2 * item.heldBytes)
  }
}
