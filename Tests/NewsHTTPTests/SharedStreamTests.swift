import Glibc
import NewsToolbox
import Synchronization
import Testing

@testable import NewsHTTP

/// Threads are never ended, so all tests share them.
private let threads = TaskThreads(4)

@Suite struct `Streamed answers of a share` {
  @Test func `Their pieces are made in its turns`() async throws {
    let turns = TaskTurns(threads, most: 1)
    let work = SlowWork()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        let stream = SharedStream(
          SlowBody(work: work),
          WorkShare(turns: turns, places: HandlerSlots(limit: 4))
        )
        group.addTask { _ = try await stream.next() }
      }
      try await group.waitForAll()
    }
    #expect(work.most == 1)
  }

  @Test func `A piece waits for a place until its client has gone, and gives it back`() async throws {
    let places = HandlerSlots(limit: 1)
    let share = WorkShare(turns: TaskTurns(threads, most: 1), places: places)
    let stream = SharedStream(SlowBody(work: SlowWork()), share)
    #expect(stream.endsWithClient)
    #expect(places.enter())
    let left = Task { try await stream.next() }
    left.cancel()
    await #expect(throws: CancellationError.self) { try await left.value }
    let waiting = Task { try await stream.next() }
    places.leave()
    #expect(try await waiting.value == [1])
    #expect(places.enter())
  }

  @Test func `A stream of events takes no place`() async throws {
    let places = HandlerSlots(limit: 0)
    let body = SlowBody(work: SlowWork(), isEndless: true)
    let stream = SharedStream(body, WorkShare(turns: TaskTurns(threads, most: 1), places: places))
    #expect(stream.isEndless)
    #expect(try await stream.next() == [1])
  }
}

/// Notes how many pieces were made at once.
private final class SlowWork: Sendable {
  private let counts = Mutex((running: 0, most: 0))

  var most: Int { counts.withLock { $0.most } }

  func run() {
    counts.withLock { counts in
      counts.running += 1
      counts.most = max(counts.most, counts.running)
    }
    usleep(20_000)
    counts.withLock { $0.running -= 1 }
  }
}

private struct SlowBody: HTTPBodyStream {
  let work: SlowWork
  var isEndless = false

  func next() async throws -> [UInt8]? {
    work.run()
    return [1]
  }
}
