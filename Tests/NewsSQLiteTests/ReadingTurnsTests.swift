import Glibc
import NewsCore
import NewsStoresShared
import NewsToolbox
import SearchCases
import Synchronization
import Testing

@testable import NewsSQLite

/// Threads are never ended.
private let threads = TaskThreads(2)

@Suite(.timeLimit(.minutes(1))) struct `Turns in which a store is read` {
  private final class Flag: Sendable {
    private let state = Mutex(false)

    var isSet: Bool { state.withLock { $0 } }

    func set() { state.withLock { $0 = true } }
  }

  @Test func `A store with turns is read on their threads, where long reads delay no other task`()
    async throws
  {
    let temporary = try TemporaryStore()
    _ = try await temporary.subscribe()
    let turns = TaskTurns(threads, most: 1)
    let store = try NewsStore(path: temporary.path, turns: turns)
    let (mayEnd, isRead) = (Flag(), Flag())
    let long = Task(executorPreference: turns) { while !mayEnd.isSet { usleep(1000) } }
    let reading = Task {
      let count = try await store.feeds().count
      isRead.set()
      return count
    }
    for _ in 0..<50 {
      #expect(try await temporary.store.feeds().count == 1)
      try await Task.sleep(for: .milliseconds(2))
    }
    #expect(!isRead.isSet)
    mayEnd.set()
    #expect(try await reading.value == 1)
    await long.value
    await store.close()
  }

  @Test func `A read ends soon after its task was cancelled, and the store can be read again`() async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.subscribe()
    let store = try NewsStore(path: temporary.path, turns: TaskTurns(threads, most: 1))
    let hasBegun = Flag()
    let endless = Task {
      try await store.read { (connection) throws(StoreError) in
        hasBegun.set()
        return try connection.number(
          "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        )
      }
    }
    while !hasBegun.isSet { try await Task.sleep(for: .milliseconds(5)) }
    endless.cancel()
    await #expect(throws: StoreError.self) { try await endless.value }
    #expect(try await store.feeds().count == 1)
    await store.close()
  }
}
